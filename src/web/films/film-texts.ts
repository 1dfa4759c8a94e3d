// The texts about recordings of prints and their gaps.
import type { FilmPiece } from './film-pieces';

/** In the order of the legend. */
export const PIECES: Record<FilmPiece['kind'], string> = {
  RECORDED: 'Recorded',
  NOT_RECORDING: 'Not recording',
  OFFLINE: 'Camera offline',
  SILENT: 'No data from the camera',
  LOG_DELETED: 'Unknown (status log deleted)',
  NOT_WATCHED: 'Not assigned to this printer',
};

export const TOO_MANY_RECORDS =
  'The cameras sent too many status records during this print to show its recording in a list. Open the job to see it.';
