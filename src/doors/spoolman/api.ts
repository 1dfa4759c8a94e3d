// Holds the parts that answer the API, on the database or in the transaction of a write.
import type { Queryable } from '../../database/queryable';
import type { ExtraFieldService } from '../../farm/inventory/extra-field.service';
import type { FilamentService } from '../../farm/inventory/filament.service';
import type { InventoryService } from '../../farm/inventory/inventory.service';
import type { TagService } from '../../farm/inventory/tag.service';
import type { VendorStore } from '../../farm/inventory/vendor.store';
import type { ReportedUseService } from '../../farm/reported-uses/reported-use.service';
import type { AdjustmentService } from '../../farm/stock/adjustment.service';
import type { ApiStore } from './api.store';
import type { LeftOnSpools, ListStore } from './list.store';
import type { TagScans } from './tag-scans';

export interface ApiParts {
  lists: ListStore;
  left: LeftOnSpools;
  store: ApiStore;
  fields: ExtraFieldService;
  vendors: VendorStore;
  inventory: InventoryService;
  filaments: FilamentService;
  tags: TagService;
  adjustments: AdjustmentService;
}

export interface ApiSettings {
  /** The currency of prices; null for none. */
  currency: string | null;
  /** The URL of the dashboard; null if it is not set. */
  publicUrl: string | null;
}

export class SpoolmanApi {
  readonly parts: ApiParts;

  constructor(
    private readonly database: Queryable,
    private readonly createParts: (database: Queryable) => ApiParts,
    readonly settings: ApiSettings,
    readonly reportedUses: ReportedUseService,
    readonly scans: TagScans,
  ) {
    this.parts = createParts(database);
  }

  /** Writes all of a request or nothing. */
  write<T>(work: (parts: ApiParts) => Promise<T>): Promise<T> {
    return this.database.transaction((transaction) => work(this.createParts(transaction)));
  }
}
