// What one transaction of the process that reports may write, so that it holds nobody up: 0.3 s.

export const MAX_EVENTS = 200;
export const MAX_DELIVERIES = 5000;
