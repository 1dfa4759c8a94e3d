// The addresses of the pages of a printer, job, spool, product or print. camera/camera-address.ts has the address of a camera.

export const printerAddress = (id: string): string => `/printers/${id}`;
export const jobAddress = (id: string): string => `/jobs/${id}`;
export const spoolAddress = (id: string): string => `/spools/${id}`;
export const filamentAddress = (id: string): string => `/filaments/${id}`;
export const printAddress = (id: string): string => `/prints/${id}`;
/** The list of products to buy. */
export const SHOPPING_ADDRESS = '/filaments/shopping';
export const SPOOLMAN_ADDRESS = '/import/spoolman';
export const spoolmanImportAddress = (id: string): string => `${SPOOLMAN_ADDRESS}/${id}`;
