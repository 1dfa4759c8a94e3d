// What is said of films and of their gaps.
import type { FilmPiece } from './film-pieces';

/** In the order of the legend. */
export const PIECES: Record<FilmPiece['kind'], string> = {
  RECORDED: 'It said that it recorded',
  NOT_RECORDING: 'It did not record',
  OFFLINE: 'It said that it was offline',
  SILENT: 'Nothing was heard of it',
  LOG_DELETED: 'Its log was deleted, so nothing is known',
  NOT_WATCHED: 'It did not watch this printer',
};

export const TOO_MANY_RECORDS =
  'The cameras have sent too many status records in this print to read them with those of other jobs. Open the job: its page reads them alone.';
