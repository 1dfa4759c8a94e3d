// Decides why an outgoing connection failed. The text of an error is never passed on, because it may contain what the other end sent.

import { BadInput } from '../errors';

/** The codes that the database stores, for machines and receivers. */
export type ConnectionFault =
  | 'NOT_REACHABLE'
  /** The name has no address. */
  | 'NOT_RESOLVED'
  /** The gateway may connect to none of the addresses of the name. */
  | 'NOT_ALLOWED'
  | 'TIMED_OUT'
  /** The other end accepted the connection, and closed it before it reported what it is. */
  | 'CLOSED_AT_ONCE'
  /** The gateway sent its request without TLS, and the other end uses TLS or redirects to the same address with TLS. */
  | 'HTTPS_REQUIRED'
  /** The gateway sent its request with TLS, and the other end answers without TLS. */
  | 'TLS_NOT_SPOKEN'
  /** The other end offers only TLS 1.1 or older. */
  | 'TLS_TOO_OLD'
  /** A proxy in front of the machine or receiver asks for its own password. */
  | 'PROXY_REFUSED'
  | 'CREDENTIALS_REFUSED'
  | 'CERTIFICATE_NOT_TRUSTED'
  | 'WRONG_DEVICE'
  | 'NOT_THIS_KIND'
  | 'SILENT'
  | 'PROTOCOL_ERROR'
  | 'TOO_MUCH_DATA'
  | 'SECRET_NOT_READABLE';

/** The further faults of receivers of notifications. */
export type ReceiverFault =
  | ConnectionFault
  /** The broker rejects retained messages. */
  | 'RETAIN_REFUSED'
  /** The broker closed the connection at a message that was longer than the messages before. */
  | 'MESSAGE_TOO_LARGE'
  | 'REDIRECTED'
  /** A status of 2xx, but from a login page or another program instead of ntfy. */
  | 'NOT_NTFY'
  /** The statuses 429 and 503. */
  | 'BUSY'
  /** The status 410: the gateway must not send anything more. */
  | 'GONE'
  /** Any other status that is not 2xx. */
  | 'REFUSED';

/** The result of one attempt to send a message to a receiver. It contains no byte of the response. */
export interface ReceiverAnswer {
  /** `null` if the receiver accepted the message. */
  fault: ReceiverFault | null;
  /** null for a broker, which has no status. */
  httpStatus: number | null;
  /** The pause that the receiver asks for; `null` if it asks for none. */
  retryAfterSec: number | null;
  /** The fingerprint of the receiver's certificate, even if the certificate is not trusted; `null` without TLS. */
  certificateFingerprint: string | null;
}

export const reportDelivered = (httpStatus: number | null, certificateFingerprint: string | null): ReceiverAnswer => ({
  fault: null,
  httpStatus,
  retryAfterSec: null,
  certificateFingerprint,
});

export const reportFailed = (fault: ReceiverFault, certificateFingerprint: string | null = null): ReceiverAnswer => ({
  fault,
  httpStatus: null,
  retryAfterSec: null,
  certificateFingerprint,
});

/** Ends a connection for a known reason. */
export class Failure extends Error {
  constructor(readonly fault: ConnectionFault) {
    super(fault);
  }
}

const FAULTS_BY_CODE: [codes: RegExp, fault: ConnectionFault][] = [
  [/^(ENOTFOUND|EAI_)/, 'NOT_RESOLVED'],
  // Nothing answers at the address of a machine that is switched off.
  [/^(ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|UND_ERR_\w+_TIMEOUT)$/, 'TIMED_OUT'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_STREAM_\w+)$/, 'CLOSED_AT_ONCE'],
  [/^(UND_ERR_RES_EXCEEDED_MAX_SIZE|UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, 'TOO_MUCH_DATA'],
  [/^(WS_ERR_UNSUPPORTED_MESSAGE_LENGTH|WS_ERR_TOO_MANY_BUFFERED_PARTS)$/, 'TOO_MUCH_DATA'],
  [/^WS_ERR_/, 'PROTOCOL_ERROR'],
  // The secret has characters that a header cannot contain.
  [/^UND_ERR_INVALID_ARG$/, 'CREDENTIALS_REFUSED'],
  [/^ERR_SSL_(UNSUPPORTED_PROTOCOL|TLSV1_ALERT_PROTOCOL_VERSION|SSL\/TLS_ALERT_PROTOCOL_VERSION)$/, 'TLS_TOO_OLD'],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, 'TLS_NOT_SPOKEN'],
  [/^(ERR_SSL_|EPROTO|HPE_)/, 'NOT_THIS_KIND'],
  [
    /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/,
    'CERTIFICATE_NOT_TRUSTED',
  ],
];

/** Finds the fault of an error. An unknown error counts as an error of the network. */
export function toConnectionFault(error: unknown): ConnectionFault {
  if (error instanceof Failure) return error.fault;
  // The address was valid when it was stored, so only the setting of the allowed networks can have changed.
  if (error instanceof BadInput) return 'NOT_ALLOWED';
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return 'TIMED_OUT';
  if (isTlsAlert(error)) return 'HTTPS_REQUIRED';
  // These errors have no code.
  if (name === 'HTTPParserError') return 'NOT_THIS_KIND';
  return FAULTS_BY_CODE.find(([codes]) => codes.test(String(code)))?.[1] ?? 'NOT_REACHABLE';
}

const TLS_ALERT_START = '\u0015\u0003';

/** Whether a server with TLS answered plain text: it sends a TLS alert. The HTTP parsers keep the bytes that they cannot read. */
function isTlsAlert(error: unknown): boolean {
  const { data, rawPacket } = error as { data?: string; rawPacket?: Buffer };
  return (data ?? rawPacket?.toString('latin1') ?? '').startsWith(TLS_ALERT_START);
}

/** What nginx and servers in Go answer to plain text at a port with TLS. */
const TLS_REQUIRED_TEXT = /HTTP request (was sent )?to (an )?HTTPS (port|server)/;
const BAD_REQUEST = 400;

interface Refusal {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** At least the start of the body. */
  bytes: Buffer;
}

/**
 * Finds the fault of an answer that cannot come from the machine, but from a proxy in front of it or from another program;
 * null if the answer may come from the machine.
 * @param isSecure whether the request used TLS
 * @param usesBasicAuth whether the machine itself asks for a password with HTTP Basic
 */
export function findProxyFault(
  { status, headers, bytes }: Refusal,
  isSecure: boolean,
  usesBasicAuth = false,
): ConnectionFault | null {
  const isRedirect = status >= 300 && status < 400;
  const wantsTls = isRedirect
    ? /^https:/i.test(String(headers['location']))
    : status === BAD_REQUEST && TLS_REQUIRED_TEXT.test(bytes.toString('latin1', 0, 500));
  if (wantsTls && !isSecure) return 'HTTPS_REQUIRED';
  if (isRedirect) return 'NOT_THIS_KIND';
  // A proxy answers with these statuses if the machine behind it does not answer.
  if (status >= 502 && status <= 504) return 'NOT_REACHABLE';
  const isBasic = status === 401 && /^basic\b/i.test(String(headers['www-authenticate']));
  return status === 407 || (isBasic && !usesBasicAuth) ? 'PROXY_REFUSED' : null;
}
