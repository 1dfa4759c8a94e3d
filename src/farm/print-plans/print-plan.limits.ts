// The limits of plans that slicers send.

/** How long a plan is found by prints. */
export const PLAN_DAYS = 30;
/** The longest name, with its folders and without them. */
export const MAX_FILE_PATH = 1000;
export const MAX_FILE_NAME = 500;
export const MAX_PLATE = 999;
/** Four AMS and four AMS HT have 20 slots. */
export const MAX_PLAN_SLOTS = 64;
export const MAX_PLAN_SLOT = 999;
/** 10 km and 1,000 kg: what no print uses. */
export const MAX_MM = 10_000_000;
export const MAX_GRAMS = 1_000_000;
/** 68 years. */
export const MAX_SECONDS = 2 ** 31 - 1;
