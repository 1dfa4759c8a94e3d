// The forms of colours and of searched numbers, which the gateway and the dashboard read in the same way.

/** The constraints spools_color_hex and filaments_color_hex enforce the same form; a test compares them. */
export const COLOR_FORM = /^#[0-9A-Fa-f]{6}$/;
export const NO_COLOR = 'must be # and six hexadecimal digits such as #1E90FF';

const NUMBER_ALONE = /^(?:#|https?:\/\/\S+\/n\/)(\d+)\/?$/i;

/** The digits of a search that is only a number: #12, or the address in the QR code of a label. */
export const numberSearched = (search: string): string | undefined => NUMBER_ALONE.exec(search)?.[1];
