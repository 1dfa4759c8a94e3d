// The names and addresses by which a machine reaches itself.

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i;

export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
