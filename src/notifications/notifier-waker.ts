// Declares how a service asks the notifier to look for work soon.

/** The class Notifier implements this. Without a channel, it looks for work only every 15 seconds, unless a service wakes it. */
export interface NotifierWaker {
  /** Announces that channels have changed, or that a delivery waits. It may be called before the transaction ends. */
  wake(): void;
}
