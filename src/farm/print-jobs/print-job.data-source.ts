// The data sources of print jobs: §2 of the print job document.
import { BadInput } from '../../errors';

export const DATA_SOURCES = ['Mqtt', 'PrinterApi', 'Manual'] as const;
export type DataSource = (typeof DATA_SOURCES)[number];

/** POST rule 5: "When DataSource is not one of Mqtt, PrinterApi, Manual (case-insensitive), the response is 400." */
export function parseDataSource(value: unknown): DataSource {
  const name = typeof value === 'string' ? value.toLowerCase() : undefined;
  const source = DATA_SOURCES.find((candidate) => candidate.toLowerCase() === name);
  if (source === undefined) throw new BadInput(`must be one of ${DATA_SOURCES.join(', ')}`, 'input', 'dataSource');
  return source;
}
