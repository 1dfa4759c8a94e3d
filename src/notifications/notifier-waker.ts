// Declares what the services of notifications need of the notifier: that it looks for work soon.

/** The Notifier implements it. A farm without targets is looked at only every 15 seconds, unless a service wakes the notifier. */
export interface NotifierWaker {
  /** Announces that targets have changed, or that a delivery waits. It may be called before the transaction ends. */
  wake(): void;
}
