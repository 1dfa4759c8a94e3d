// The addresses of the pages of one printer, spool, filament or print. That of a camera is in camera/camera-address.ts.

export const printerAddress = (id: string): string => `/printers/${id}`;
export const spoolAddress = (id: string): string => `/spools/${id}`;
export const filamentAddress = (id: string): string => `/filaments/${id}`;
export const printAddress = (id: string): string => `/prints/${id}`;
