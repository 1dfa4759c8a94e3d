// Reads the feed of changes page by page, and collects the changes that one step adds.
import { unique } from './farm';
import { expectData, type Gateway, type Parsed } from './gateway';
import { until } from './waiting';

/** The members of all kinds of changes. */
export const CHANGE = `
  __typename cursor at
  ... on CameraChanged { kind id: cameraId }
  ... on CameraStatusRecorded { camera { id } status { mode } }
  ... on PrintJobChanged { kind id: jobId fromStatus toStatus }
  ... on ObservedPrintChanged { kind id: printId }
  ... on PrinterChanged { kind id: printerId }
  ... on SpoolChanged { kind id: spoolId }
  ... on FilamentChanged { kind id: filamentId }
  ... on MaterialChanged { kind id: materialId }
  ... on DeviceChanged { kind id: deviceId }`;

const createPageQuery = (others: string) => `query ($after: String, $first: Int, $filter: ChangeFilter) {
  changes(after: $after, first: $first, filter: $filter) {
    nodes { ${CHANGE} ${others} } pageInfo { hasNextPage endCursor }
  }
}`;

export async function readLatestCursor(gateway: Gateway): Promise<string> {
  return expectData(await gateway.graphql('{ latestChangeCursor }')).latestChangeCursor;
}

/** @param others more members of the changes */
export async function readChangePage(
  gateway: Gateway,
  variables: { after?: string | null; first?: number; filter?: Parsed },
  others = '',
): Promise<{ nodes: Parsed[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }> {
  return expectData(await gateway.graphql(createPageQuery(others), variables)).changes;
}

/** All changes after the cursor that can be read now. */
export async function readChangesAfter(
  gateway: Gateway,
  after: string | null,
  given: { first?: number; filter?: Parsed } = {},
  others = '',
): Promise<Parsed[]> {
  const nodes: Parsed[] = [];
  for (let place = after; ; ) {
    const page = await readChangePage(gateway, { first: 1000, ...given, after: place }, others);
    nodes.push(...page.nodes);
    place = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) return nodes;
  }
}

/**
 * Reads the changes after the cursor until now, and the cursor after them. It inserts a material as a mark: when the change of the
 * material can be read, all earlier changes can be read too. Open transactions of the test server delay the feed.
 * @param others more members of the changes
 */
export async function readChangesUntilNow(
  gateway: Gateway,
  after: string,
  others?: string,
): Promise<{ changes: Parsed[]; cursor: string }> {
  const [material] = await gateway.sql(
    `insert into materials (id, name, density_g_per_cm3) values (gen_random_uuid(), '${unique('now')}', 1) returning id`,
  );
  return until(
    `the last change is that of the material ${material.id}`,
    () => readChangesAfter(gateway, after, {}, others),
    (changes) => {
      const last = changes.at(-1);
      return last?.id === material.id && { changes: changes.slice(0, -1), cursor: last.cursor };
    },
  );
}

/** A cursor after every change until now. The latest cursor may be before changes that cannot be read yet. */
export async function readCurrentCursor(gateway: Gateway): Promise<string> {
  return (await readChangesUntilNow(gateway, await readLatestCursor(gateway))).cursor;
}

/** The changes that a step adds. */
export async function collectChanges(
  gateway: Gateway,
  step: () => Promise<unknown>,
  others?: string,
): Promise<Parsed[]> {
  const start = await readCurrentCursor(gateway);
  await step();
  return (await readChangesUntilNow(gateway, start, others)).changes;
}

/** A change as a short text: `CAMERA UPDATED cam-1`, `STATUS cam-1 day`. */
export function summarizeChange({ __typename, kind, id, camera, status, fromStatus, toStatus }: Parsed): string {
  if (__typename === 'CameraStatusRecorded') return `STATUS ${camera.id} ${status.mode}`;
  const name = __typename.replace('Changed', '').toUpperCase();
  const statuses = __typename === 'PrintJobChanged' ? ` ${fromStatus}→${toStatus}` : '';
  return `${name} ${kind} ${id}${statuses}`;
}
