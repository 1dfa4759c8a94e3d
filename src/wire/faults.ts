// Why a connection outward failed. No word of an error goes on: it may hold what the other side sent.

import { BadInput } from '../errors';

/** The codes that the database keeps, for machines and receivers. */
export type ConnectionFault =
  | 'NOT_REACHABLE'
  /** The name has no address. */
  | 'NOT_RESOLVED'
  /** None of its addresses may be dialled. */
  | 'NOT_ALLOWED'
  | 'TIMED_OUT'
  /** It takes the connection, and closes it before it has said what it is. */
  | 'CLOSED_AT_ONCE'
  /** It speaks TLS, or leads to an address with TLS, and was asked without. */
  | 'HTTPS_REQUIRED'
  /** It was asked with TLS, and answers without. */
  | 'TLS_NOT_SPOKEN'
  /** It speaks TLS 1.1 at most. */
  | 'TLS_TOO_OLD'
  /** A proxy in front of it wants a password of its own. */
  | 'PROXY_REFUSED'
  | 'CREDENTIALS_REFUSED'
  | 'CERTIFICATE_NOT_TRUSTED'
  | 'WRONG_DEVICE'
  | 'NOT_THIS_KIND'
  | 'SILENT'
  | 'PROTOCOL_ERROR'
  | 'TOO_MUCH_DATA'
  | 'SECRET_NOT_READABLE';

/** What a receiver of notifications says beside. */
export type ReceiverFault =
  | ConnectionFault
  /** The broker takes no retained messages. */
  | 'RETAIN_REFUSED'
  /** The broker closes the connection at a message that is longer than those before. */
  | 'MESSAGE_TOO_LARGE'
  | 'REDIRECTED'
  /** 2xx, but not by ntfy: a login page, or another program. */
  | 'NOT_NTFY'
  /** 429 and 503. */
  | 'BUSY'
  /** 410: nothing is to be sent any more. */
  | 'GONE'
  /** Any other status that is not 2xx. */
  | 'REFUSED';

/** What became of one try to send a message to a receiver. No byte of a response is in it. */
export interface ReceiverAnswer {
  /** Null: the receiver has the message. */
  fault: ReceiverFault | null;
  /** Null where the kind has none. */
  httpStatus: number | null;
  /** The receiver asks for a pause. */
  retryAfterSec: number | null;
  /** That of the receiver, also where it is not trusted; null without TLS. */
  certificateFingerprint: string | null;
}

export const deliveredWith = (httpStatus: number | null, certificateFingerprint: string | null): ReceiverAnswer => ({
  fault: null,
  httpStatus,
  retryAfterSec: null,
  certificateFingerprint,
});

export const failedWith = (fault: ReceiverFault, certificateFingerprint: string | null = null): ReceiverAnswer => ({
  fault,
  httpStatus: null,
  retryAfterSec: null,
  certificateFingerprint,
});

/** A connection cannot go on, and it is known why. */
export class Failure extends Error {
  constructor(readonly fault: ConnectionFault) {
    super(fault);
  }
}

const FAULTS_BY_CODE: [codes: RegExp, fault: ConnectionFault][] = [
  [/^(ENOTFOUND|EAI_)/, 'NOT_RESOLVED'],
  // The address of a machine that is off has no answer in its network.
  [/^(ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|UND_ERR_\w+_TIMEOUT)$/, 'TIMED_OUT'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_STREAM_\w+)$/, 'CLOSED_AT_ONCE'],
  [/^(UND_ERR_RES_EXCEEDED_MAX_SIZE|UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, 'TOO_MUCH_DATA'],
  [/^(WS_ERR_UNSUPPORTED_MESSAGE_LENGTH|WS_ERR_TOO_MANY_BUFFERED_PARTS)$/, 'TOO_MUCH_DATA'],
  [/^WS_ERR_/, 'PROTOCOL_ERROR'],
  // A secret that cannot stand in a header.
  [/^UND_ERR_INVALID_ARG$/, 'CREDENTIALS_REFUSED'],
  [/^ERR_SSL_(UNSUPPORTED_PROTOCOL|TLSV1_ALERT_PROTOCOL_VERSION|SSL\/TLS_ALERT_PROTOCOL_VERSION)$/, 'TLS_TOO_OLD'],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, 'TLS_NOT_SPOKEN'],
  [/^(ERR_SSL_|EPROTO|HPE_)/, 'NOT_THIS_KIND'],
  [
    /^(CERT_|ERR_TLS_CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/,
    'CERTIFICATE_NOT_TRUSTED',
  ],
];

/** Any other failure is one of the network. */
export function connectionFaultOf(error: unknown): ConnectionFault {
  if (error instanceof Failure) return error.fault;
  // The address was read when it was stored: only the networks that are allowed may be others since.
  if (error instanceof BadInput) return 'NOT_ALLOWED';
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return 'TIMED_OUT';
  if (isTlsAlert(error)) return 'HTTPS_REQUIRED';
  // It has no code.
  if (name === 'HTTPParserError') return 'NOT_THIS_KIND';
  return FAULTS_BY_CODE.find(([codes]) => codes.test(String(code)))?.[1] ?? 'NOT_REACHABLE';
}

const TLS_ALERT_START = '\u0015\u0003';

/** TLS answers plain text with an alert. The parsers of HTTP keep the bytes that they cannot read. */
function isTlsAlert(error: unknown): boolean {
  const { data, rawPacket } = error as { data?: string; rawPacket?: Buffer };
  return (data ?? rawPacket?.toString('latin1') ?? '').startsWith(TLS_ALERT_START);
}

/** What nginx and servers in Go say to plain text at a port with TLS. */
const TLS_REQUIRED_TEXT = /HTTP request (was sent )?to (an )?HTTPS (port|server)/;
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
 * @param usesBasicAuth whether the machine itself wants Basic
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
  // What a proxy says for a machine that is away.
  if (status >= 502 && status <= 504) return 'NOT_REACHABLE';
  const isBasic = status === 401 && /^basic\b/i.test(String(headers['www-authenticate']));
  return status === 407 || (isBasic && !usesBasicAuth) ? 'PROXY_REFUSED' : null;
}
