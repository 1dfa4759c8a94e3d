// Decides whether a host is a name or an address of the computer itself (loopback).

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i;

export const isLoopback = (host: string): boolean => LOOPBACK.test(host);
