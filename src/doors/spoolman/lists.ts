// Answers lists: short lists in one piece, long ones as a stream.
import type { DoorContext } from '../../farm/graph/context';
import { SpoolmanApi } from './api';
import { isListed, readFilter } from './list.filter';
import type { Kind } from './members.filter';
import { readQuery, readWhole } from './query';
import type { ApiAnswer } from './route';
import { readSort } from './sort.filter';

/** How many objects are read and written at a time. Writing them takes some 10 ms, in which the process does nothing else. */
const PART = 500;

export async function answerList(
  api: SpoolmanApi,
  kind: Kind,
  search: string,
  context: DoorContext,
): Promise<ApiAnswer> {
  const query = readQuery(search);
  const limit = readWhole(query, 'limit');
  const offset = readWhole(query, 'offset') ?? 0;
  const order = readSort(kind, query.get('sort'));
  const { conditions, fields } = readFilter(kind, query);
  const listed = isListed(kind, query);
  await api.parts.fields.requireDefined(fields.map(({ kind: owner, key }) => ({ owner, key })));
  const { ids, total } = await api.parts.lists.ids(kind, {
    conditions: [...listed, ...conditions],
    order,
    limit,
    offset: limit === null ? 0 : offset,
  });
  const first = (await api.parts.lists.write(kind, ids.slice(0, PART))).join(',');
  if (ids.length <= PART) return { status: 200, total, json: `[${first}]` };
  return { status: 200, total, chunks: writeParts(kind, ids, first, context) };
}

/** Each part has the time limit of a whole request. */
async function* writeParts(kind: Kind, ids: number[], first: string, context: DoorContext): AsyncGenerator<string> {
  yield `[${first}`;
  for (let at = PART; at < ids.length; at += PART) {
    const { lists } = context.restart().resolvers.get(SpoolmanApi).parts;
    const objects = await lists.write(kind, ids.slice(at, at + PART));
    yield objects.map((object) => `,${object}`).join('');
  }
  yield ']';
}
