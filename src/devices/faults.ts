// What the failures of sockets and libraries mean. No word of an error goes on: it may hold what a machine sent.
import type { DeviceFault } from './connection';

/** A connection cannot go on, and it is known why. */
export class Failure extends Error {
  constructor(readonly fault: DeviceFault) {
    super(fault);
  }
}

const CODES: [codes: RegExp, fault: DeviceFault][] = [
  [/^(ENOTFOUND|EAI_)/, 'NOT_RESOLVED'],
  // The address of a machine that is off has no answer in its network.
  [/^(ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|UND_ERR_\w+_TIMEOUT)$/, 'TIMED_OUT'],
  [/^(UND_ERR_RES_EXCEEDED_MAX_SIZE|UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, 'TOO_MUCH_DATA'],
  [/^(WS_ERR_UNSUPPORTED_MESSAGE_LENGTH|WS_ERR_TOO_MANY_BUFFERED_PARTS)$/, 'TOO_MUCH_DATA'],
  [/^WS_ERR_/, 'PROTOCOL_ERROR'],
  // A secret that cannot stand in a header.
  [/^UND_ERR_INVALID_ARG$/, 'CREDENTIALS_REFUSED'],
  // TLS answered by plain text, and HTTP by anything else.
  [/^(ERR_SSL_|EPROTO|HPE_)/, 'NOT_THIS_KIND'],
  [
    /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/,
    'CERTIFICATE_NOT_TRUSTED',
  ],
];

/** Any other failure is one of the way to the machine. */
export function faultOf(error: unknown): DeviceFault {
  if (error instanceof Failure) return error.fault;
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return 'TIMED_OUT';
  // It has no code.
  if (name === 'HTTPParserError') return 'NOT_THIS_KIND';
  return CODES.find(([codes]) => codes.test(String(code)))?.[1] ?? 'NOT_REACHABLE';
}
