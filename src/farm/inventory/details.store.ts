// Reads the members of spools and filaments that only few requests select: lots, comments, own fields and ids in other programs.
import { readById } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { sql } from '../../database/sql';
import { batchedRead } from '../../sharing/batch';
import { FILAMENT_DETAILS_ROW, type FilamentDetails, SPOOL_DETAILS_ROW, type SpoolDetails } from './inventory.rows';

export class DetailStore {
  constructor(private readonly database: Queryable) {}

  readonly ofSpool = batchedRead<string, SpoolDetails>((ids) =>
    readById(this.database, 'details.ofSpool', SPOOL_DETAILS_ROW, sql('spools s'), 's.id', ids),
  );
  readonly ofFilament = batchedRead<string, FilamentDetails>((ids) =>
    readById(this.database, 'details.ofFilament', FILAMENT_DETAILS_ROW, sql('filaments f'), 'f.id', ids),
  );
}
