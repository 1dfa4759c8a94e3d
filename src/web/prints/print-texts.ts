// Defines the names and colours of the activities of printers, and of the outcomes and events of prints.
import type { PrinterActivity, PrintOutcome, ProgressBasis, SightingKind } from '../../generated/web-operations';
import type { Tone } from '../parts/badge';

export const ACTIVITIES: Record<PrinterActivity, { name: string; tone: Tone }> = {
  UNKNOWN: { name: 'Unknown', tone: 'muted' },
  IDLE: { name: 'Idle', tone: 'muted' },
  PREPARING: { name: 'Preparing', tone: 'info' },
  PRINTING: { name: 'Printing', tone: 'info' },
  PAUSED: { name: 'Paused', tone: 'warn' },
  FINISHED: { name: 'Finished', tone: 'good' },
  ERROR: { name: 'Error', tone: 'bad' },
  OFFLINE: { name: 'Offline', tone: 'bad' },
};

export const OUTCOMES: Record<PrintOutcome, { name: string; tone: Tone }> = {
  RUNNING: { name: 'Running', tone: 'info' },
  COMPLETED: { name: 'Completed', tone: 'good' },
  CANCELLED: { name: 'Cancelled', tone: 'warn' },
  FAILED: { name: 'Failed', tone: 'bad' },
  UNRESOLVED: { name: 'Outcome unknown', tone: 'warn' },
};

export const SHARES: Record<ProgressBasis, string> = {
  FILAMENT: 'of the filament',
  LAYERS: 'of the layers',
  FILE: 'of the file',
  TIME: 'of the time',
};

export const SIGHTINGS: Record<SightingKind, { name: string; tone: Tone }> = {
  STARTED: { name: 'Started', tone: 'info' },
  PAUSED: { name: 'Paused', tone: 'warn' },
  RESUMED: { name: 'Resumed', tone: 'info' },
  SLOT_CHANGED: { name: 'Slot changed', tone: 'muted' },
  LOST: { name: 'Contact lost', tone: 'bad' },
  BACK: { name: 'Contact restored', tone: 'info' },
  ENDED: { name: 'Ended', tone: 'good' },
  RESOLVED: { name: 'Outcome set', tone: 'good' },
  AMENDED: { name: 'Filament reported', tone: 'muted' },
  CORRECTED: { name: 'Corrected', tone: 'muted' },
};

/** How many spools a job uses. */
export const spoolCount = ({ parts }: { parts: readonly { spool: { id: string } | null }[] }): number =>
  new Set(parts.map(({ spool }) => spool?.id)).size;
