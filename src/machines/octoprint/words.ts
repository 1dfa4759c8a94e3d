// The words of OctoPrint: its flags, its texts and its events.
import type { Activity } from '../../farm/print-rules/readings';

/** The flags of a print that runs. */
export const RUNNING = ['printing', 'paused', 'pausing', 'resuming', 'finishing', 'cancelling'];

/** No flag distinguishes a transfer from a print. */
export const TRANSFER = /^(Starting to send|Sending|Transferring) file to SD$/;

/** The events that are subscribed to. */
export const SUBSCRIBED_EVENTS = [
  'PrintStarted',
  'PrintPaused',
  'PrintResumed',
  'PrintDone',
  'PrintCancelling',
  'PrintCancelled',
  'PrintFailed',
  'PrinterReset',
  'MetadataAnalysisFinished',
] as const;

export const CLOSED = 'The connection to the printer was closed';
export const RESET = 'The printer was reset';
export const NOT_A_SUCCESS = 'OctoPrint noted that it did not succeed, not whether it was cancelled or failed';

type Flags = Record<'isRunning' | 'isPaused' | 'isTransfer' | 'isError' | 'isOffline' | 'isComplete', boolean>;

export function activityOf({ isRunning, isPaused, isTransfer, isError, isOffline, isComplete }: Flags): Activity {
  if (isRunning) return isPaused ? 'PAUSED' : 'PRINTING';
  if (isTransfer) return 'PREPARING';
  return isError ? 'ERROR' : isOffline ? 'OFFLINE' : isComplete ? 'FINISHED' : 'IDLE';
}
