// Why something was not told: the codes that the database keeps, of which sentences are made.

/** Of one try. */
export type SendFault =
  | 'NOT_RESOLVED'
  /** The host is where neither NOTIFY_HOSTS nor DEVICE_NETWORKS allows. */
  | 'NOT_ALLOWED'
  | 'NOT_REACHABLE'
  | 'TIMED_OUT'
  | 'CLOSED_AT_ONCE'
  | 'HTTPS_REQUIRED'
  | 'CERTIFICATE_NOT_TRUSTED'
  | 'NOT_THIS_KIND'
  | 'TOO_MUCH_DATA'
  | 'CREDENTIALS_REFUSED'
  | 'REDIRECTED'
  /** 429 and 503. */
  | 'BUSY'
  /** 410: nothing is to be sent any more. */
  | 'GONE'
  /** Any other status that is not 2xx. */
  | 'REFUSED'
  | 'SECRET_NOT_READABLE';

/** Of a target that is disabled, and of what waited for it. */
type DisabledFault = 'DISABLED' | 'PRINTERS_REMOVED' | 'RESTORED' | 'GONE';

/** LEFT_OUT: too old when its turn came. LEFT_OUT_TOLD: OMITTED has told so. */
export type NotificationFault = SendFault | DisabledFault | 'LEFT_OUT' | 'LEFT_OUT_TOLD';
