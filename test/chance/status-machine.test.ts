// Generated changes of status at once, through both doors, against the document's table by hand.

import { describeOnDatabases } from '../support/databases';
import { type Farm, makeFarm, makeJob, readJob, STATUSES, type Status } from '../support/farm';
import { test, useGateway } from '../support/gateway';
import fc from '../support/generated';
import { holds } from './watch';

type Change = Status | 'DELETE';
const CHANGES: Change[] = [...STATUSES, 'DELETE'];

/** §3 of the print job document: the next status of a job; nothing where the change is rejected. */
const BECOMES: Record<Status, Partial<Record<Change, Status>>> = {
  Queued: { Queued: 'Queued', Printing: 'Printing', Cancelled: 'Cancelled', Failed: 'Failed', DELETE: 'Cancelled' },
  Printing: {
    ...{ Printing: 'Printing', Completed: 'Completed', Cancelled: 'Cancelled', Failed: 'Failed', DELETE: 'Cancelled' },
  },
  Completed: { Completed: 'Completed', Cancelled: 'Cancelled', Failed: 'Failed' },
  Cancelled: { Cancelled: 'Cancelled', Failed: 'Failed', DELETE: 'Cancelled' },
  Failed: { Cancelled: 'Cancelled', Failed: 'Failed', DELETE: 'Cancelled' },
};

const change = fc.record({ to: fc.constantFrom(...CHANGES), throughRest: fc.boolean() });

describeOnDatabases('generated changes of status', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });

  async function accepted(id: string, { to, throughRest }: { to: Change; throughRest: boolean }): Promise<boolean> {
    if (throughRest) {
      const answer =
        to === 'DELETE'
          ? await gateway.rest('DELETE', `/api/printjobs/${id}`)
          : await gateway.rest('PATCH', `/api/printjobs/${id}/status`, { Status: to });
      expect([answer.status, answer.text]).toEqual([expect.any(Number), expect.any(String)]);
      if (![200, 204, 400].includes(answer.status)) throw new Error(`${to}: ${answer.status} ${answer.text}`);
      return answer.status !== 400;
    }
    const call =
      to === 'DELETE' ? 'cancelPrintJob(id: $id)' : `changePrintJobStatus(id: $id, status: ${to.toUpperCase()})`;
    const answer = await gateway.graphql(`mutation ($id: ID!) { ${call} { id } }`, { id });
    const codes = answer.errors.map(({ extensions }) => extensions.code);
    if (codes.some((code) => code !== 'BAD_USER_INPUT')) throw new Error(`${to}: ${answer.text}`);
    return codes.length === 0;
  }

  test('all at once come out as in some order, one after the other', async () => {
    await holds(
      fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 4 }), fc.boolean(), async (changes, printing) => {
        const id = (await makeJob(gateway, farm)).Id as string;
        if (printing) await accepted(id, { to: 'Printing', throughRest: true });
        const from: Status = printing ? 'Printing' : 'Queued';
        const outcomes = await Promise.all(changes.map((one) => accepted(id, one)));
        const { Status: end } = await readJob(gateway, id);
        const possible = orders(changes.map(({ to }, at) => ({ to, accepted: outcomes[at] as boolean }))).some(
          (order) => {
            let status: Status | undefined = from;
            for (const { to, accepted } of order) {
              const next: Status | undefined = BECOMES[status][to];
              if ((next !== undefined) !== accepted) return false;
              status = next ?? status;
            }
            return status === end;
          },
        );
        if (!possible)
          throw new Error(`no order of ${JSON.stringify(changes)} from ${from} gives ${outcomes} and ${end}`);
      }),
      { seconds: 1.5 },
    );
  });
});

function orders<Item>(items: Item[]): Item[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
