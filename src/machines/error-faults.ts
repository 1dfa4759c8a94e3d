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
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_STREAM_\w+)$/, 'CLOSED_AT_ONCE'],
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
  if (isAlert(error)) return 'HTTPS_REQUIRED';
  // It has no code.
  if (name === 'HTTPParserError') return 'NOT_THIS_KIND';
  return CODES.find(([codes]) => codes.test(String(code)))?.[1] ?? 'NOT_REACHABLE';
}

const ALERT = '\u0015\u0003';

/** TLS answers plain text with an alert. The parsers of HTTP keep the bytes that they cannot read. */
function isAlert(error: unknown): boolean {
  const { data, rawPacket } = error as { data?: string; rawPacket?: Buffer };
  return (data ?? rawPacket?.toString('latin1') ?? '').startsWith(ALERT);
}

/** What nginx and servers in Go say to plain text at a port with TLS. */
const WANTS_TLS = /HTTP request (was sent )?to (an )?HTTPS (port|server)/;
const BAD_REQUEST = 400;

interface Refusal {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The first of its body, at least. */
  bytes: Buffer;
}

/**
 * The fault of an answer that no machine gives, but a program in front of it, or another one; null where it may be of a machine.
 * @param isSecure whether it was asked with TLS
 * @param asksBasic whether the machine itself wants Basic
 */
export function faultOfRefusal(
  { status, headers, bytes }: Refusal,
  isSecure: boolean,
  asksBasic = false,
): DeviceFault | null {
  const isRedirect = status >= 300 && status < 400;
  const wantsTls = isRedirect
    ? /^https:/i.test(String(headers['location']))
    : status === BAD_REQUEST && WANTS_TLS.test(bytes.toString('latin1', 0, 500));
  if (wantsTls && !isSecure) return 'HTTPS_REQUIRED';
  if (isRedirect) return 'NOT_THIS_KIND';
  // What a proxy says for a machine that is away.
  if (status >= 502 && status <= 504) return 'NOT_REACHABLE';
  const isBasic = status === 401 && /^basic\b/i.test(String(headers['www-authenticate']));
  return status === 407 || (isBasic && !asksBasic) ? 'PROXY_REFUSED' : null;
}
