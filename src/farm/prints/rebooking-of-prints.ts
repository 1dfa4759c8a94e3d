// Books the running print of a printer again after a spool was put into one of its slots or taken out.
import type { Queryable } from '../../database/queryable';
import type { RequestTime } from '../../values/request-time';
import type { SlotChange, SlotChangeListener } from '../inventory/spool-loading.service';
import { PrintWritingStore } from './print-writing.store';
import { createPrintTransactions } from './prints.transaction';
import { rebookAfterSlotChange } from './spools-of-print.service';

export class RebookingOfPrints implements SlotChangeListener {
  constructor(private readonly database: Queryable) {}

  slotChanged(change: SlotChange, time: RequestTime): Promise<void> {
    return rebookAfterSlotChange(
      new PrintWritingStore(this.database),
      createPrintTransactions(this.database),
      change,
      time,
    );
  }
}
