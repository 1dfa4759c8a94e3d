// The gateway's own limits of printers, spools and materials.

export const PAGE_OF_INVENTORY = 50;
