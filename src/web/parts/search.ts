// The search of lists that are here already, as the gateway searches: in any case and any form of Unicode.

export const containsText = (text: string, part: string): boolean => plain(text).includes(plain(part));

const plain = (text: string) => text.normalize().toLowerCase();
