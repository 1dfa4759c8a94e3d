// The columns of materials, printers and spools.
import { nested, rowShape } from '../database/rows';
import type { Material, Printer, Spool } from './inventory.types';

/** A material `m`. */
export const MATERIAL_ROW = rowShape<Material>('m', { id: 'uuid', name: 'text', densityGPerCm3: 'numeric' });

/** A printer `p`. */
export const PRINTER_ROW = rowShape<Printer>('p', {
  id: 'uuid',
  name: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

/** The printer whose id is in this column. */
export const printerOf = (column: string) =>
  nested(PRINTER_ROW, (json) => `(select ${json} from printers p where p.id = ${column})`);

/** A spool `s`, with its material. */
export const SPOOL_ROW = rowShape<Spool, 'material'>(
  's',
  {
    id: 'uuid',
    spoolSerial: 'text',
    filamentDiameterMm: 'numeric',
    weightTotalGrams: 'numeric',
    purchasePrice: 'numeric',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
  },
  { material: nested(MATERIAL_ROW, (json) => `(select ${json} from materials m where m.id = s.material_id)`) },
);

/** The spool whose id is in this column. */
export const spoolOf = (column: string) =>
  nested(SPOOL_ROW, (json) => `(select ${json} from spools s where s.id = ${column})`);
