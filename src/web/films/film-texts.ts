// Holds the texts about recordings of prints and the gaps in them.
import type { BarSection } from './bar-sections';

/** The names of the sections of a bar, in the order of the legend. */
export const SECTION_NAMES: Record<BarSection['kind'], string> = {
  RECORDED: 'Recorded',
  NOT_RECORDING: 'Not recording',
  OFFLINE: 'Camera offline',
  SILENT: 'No data from the camera',
  LOG_DELETED: 'Unknown (status log deleted)',
  NOT_WATCHED: 'Not assigned to this printer',
};

export const TOO_MANY_RECORDS =
  'The cameras sent too many status records during this print to show its recording in a list. Open the job to see it.';
