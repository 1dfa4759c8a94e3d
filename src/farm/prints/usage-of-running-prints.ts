// Calculates for a weighing how much of a spool a running print has used so far.
import type { Queryable } from '../../database/queryable';
import type { RequestTime } from '../../values/request-time';
import type { RunningPrintUsage, UsedSoFar } from '../stock/running-print-usage';
import { calculateUsedSoFar } from './observed-print.service';
import { createPrintStores } from './prints.transaction';

export class UsageOfRunningPrints implements RunningPrintUsage {
  /** @param database the transaction of the weighing */
  constructor(private readonly database: Queryable) {}

  usedSoFar(printId: string, spoolId: string, time: RequestTime): Promise<UsedSoFar> {
    return calculateUsedSoFar(createPrintStores(this.database), printId, spoolId, time);
  }
}
