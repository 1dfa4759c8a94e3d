// The forms of texts of spools and filaments, which the gateway and its pages read in the same way.

/** The columns have it as well (spools_color_hex, filaments_color_hex); a test compares them. */
export const COLOR_FORM = /^#[0-9A-Fa-f]{6}$/;
export const NO_COLOR = 'must be # and six hexadecimal digits such as #1E90FF';

const NUMBER_ALONE = /^(?:#|https?:\/\/\S+\/n\/)(\d+)\/?$/i;

/** The digits of a search for a number alone: #12, or the address that a label holds. */
export const numberSearched = (search: string): string | undefined => NUMBER_ALONE.exec(search)?.[1];
