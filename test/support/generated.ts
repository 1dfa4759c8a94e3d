// Generates input from one seed: always the same seed, except in the folder chance, where each run has another.
import fc from 'fast-check';

/** test/support/set-up-chance.ts chooses it for the folder chance. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

fc.configureGlobal({ seed: SEED });

export default fc;

let state = SEED;

/** From 0 to below 1 (mulberry32). The order of concurrent callers still depends on chance. */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
