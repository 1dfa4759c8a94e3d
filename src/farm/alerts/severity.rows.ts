// Decides in SQL how urgent an alert is: by its kind, and for three kinds by the value in its detail.
import { sql } from '../../database/sql';
import { EMPTY_BATTERY_PCT, EMPTY_STORAGE_SEC } from './alert.limits';
import type { AlertKind } from './alert.types';

/** These kinds mean that a print has stopped or that records are being lost now, whatever their values are. */
const ALWAYS_CRITICAL = ['CAMERA_LOST', 'PRINTER_LOST', 'PRINTER_FAULT', 'PRINTS_LEFT_OUT'] satisfies AlertKind[];

/** The severity of a finding `f`. For the three kinds with a limit, `f.detail` holds the value. */
export const SEVERITY = sql(`case when case f.kind
    when 'BATTERY_LOW' then f.detail::float8 <= ${EMPTY_BATTERY_PCT}
    when 'STORAGE_LOW' then f.detail::int <= ${EMPTY_STORAGE_SEC}
    when 'STOCK_LOW' then (f.detail::json->>0)::numeric <= 0
    else f.kind in (${ALWAYS_CRITICAL.map((kind) => `'${kind}'`).join()})
  end then 'CRITICAL' else 'WARNING' end`);
