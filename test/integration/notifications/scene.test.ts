// A random scene of jobs, prints and targets, read at random moments, compared with a small model of the notifications.
import { anyDatabase } from '../../support/databases';
import { type Farm, makeFarm, makeJob } from '../../support/farm';
import { expectStatus, test, useGateway } from '../../support/gateway';
import { random } from '../../support/generated';
import {
  ALL_EVENTS,
  addTarget,
  setEnabled,
  startReporter,
  summarizeDeliveries,
  takeLease,
} from '../../support/notifications';
import { makePrint } from '../../support/prints';

const ONE = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
const ENDED = ['COMPLETED', 'CANCELLED', 'FAILED'] as const;
const STATUS: Record<string, string> = { COMPLETED: 'Completed', CANCELLED: 'Cancelled', FAILED: 'Failed' };
const NEXT: Record<string, string[]> = {
  Queued: ['Printing', 'Cancelled', 'Failed'],
  Printing: ['Completed', 'Cancelled', 'Failed'],
  Completed: ['Cancelled', 'Failed'],
  Cancelled: ['Failed'],
  Failed: ['Cancelled'],
};

interface Thing {
  name: string;
  farm: Farm;
  printId: string | null;
  outcome: string | null;
  jobId: string | null;
  status: string | null;
  hasBegun: boolean;
  isIgnored: boolean;
  /** The state at the last read, and since when each part of it has been so. */
  told: State;
  since: { began: number; end: number; wait: number };
  /** The state since the last change. */
  state: State;
}

interface State {
  began: boolean;
  end: string | null;
  wait: string | null;
}

interface Listener {
  id: string;
  events: readonly string[];
  printerId: string | null;
  from: number;
  isEnabled: boolean;
  told: string[];
}

const describeEnd = ({ outcome, status }: Thing): string | null => {
  if (outcome === 'RUNNING') return null;
  const end = ENDED.find((one) => STATUS[one] === status);
  return end ?? ENDED.find((one) => one === outcome) ?? null;
};
const describeWait = ({ outcome, jobId, isIgnored }: Thing): string | null =>
  outcome === null || isIgnored ? null : outcome === 'UNRESOLVED' ? 'OUTCOME' : jobId === null ? 'SPOOL' : null;
const describeState = (thing: Thing): State => ({
  began: thing.hasBegun,
  end: describeEnd(thing),
  wait: describeWait(thing),
});

describe('a scene of notifications', () => {
  const gateway = useGateway(anyDatabase, {});
  const sql = (text: string) => gateway.sql(text);

  test('each target gets the messages that the model predicts', async () => {
    await sql('delete from notification_targets');
    const farms = [await makeFarm(gateway), await makeFarm(gateway)];
    const [things, listeners, steps]: [Thing[], Listener[], string[]] = [[], [], []];
    let clock = 0;
    /** The change may be an event, which is as old as the change. */
    const touch = (thing: Thing) => {
      clock += 1;
      const state = describeState(thing);
      for (const member of ['began', 'end', 'wait'] as const) {
        if (state[member] !== thing.state[member]) thing.since[member] = clock;
      }
      thing.state = state;
    };
    const listen = (one: Listener) => {
      // The first target starts anew.
      if (listeners.every(({ isEnabled, id }) => !isEnabled || id === one.id)) {
        for (const thing of things) thing.told = describeState(thing);
      }
      clock += 1;
      Object.assign(one, { isEnabled: true, from: clock });
    };
    const made = (thing: Partial<Thing>): Thing => {
      const nothing = { printId: null, outcome: null, jobId: null, status: null, hasBegun: false, isIgnored: false };
      const one = { ...nothing, name: `Thing ${things.length}`, farm: ONE(farms), ...thing };
      const none: State = { began: false, end: null, wait: null };
      things.push({ ...one, told: none, state: none, since: { began: 0, end: 0, wait: 0 } });
      return things.at(-1) as Thing;
    };
    const patch = async (thing: Thing, status: string) => {
      expectStatus(await gateway.rest('PATCH', `/api/printjobs/${thing.jobId}/status`, { Status: status }), 200);
      Object.assign(thing, { status, hasBegun: thing.hasBegun || status === 'Printing' });
      touch(thing);
    };
    const setPrint = async (thing: Thing, set: string) => {
      await sql(`update observed_prints set ${set} where id = '${thing.printId}'`);
      touch(thing);
    };
    const prints = (accepts: (thing: Thing) => boolean) => things.filter((one) => one.printId !== null && accepts(one));
    const some = async (of: Thing[], act: (thing: Thing) => Promise<unknown>) => of.length > 0 && act(ONE(of));
    const finish = async (thing: Thing, outcome: string) => {
      thing.outcome = outcome;
      await setPrint(thing, `outcome = '${outcome}'`);
      const status = STATUS[outcome];
      if (thing.status === 'Printing' && status !== undefined) await patch(thing, status);
    };
    const acts: Record<string, () => Promise<unknown>> = {
      job: async () => {
        const thing = made({ status: 'Queued' });
        thing.jobId = (await makeJob(gateway, thing.farm, { PrintName: thing.name })).Id;
        touch(thing);
      },
      patch: () =>
        some(
          things.filter(
            ({ jobId, outcome }) => jobId !== null && (outcome === null || ENDED.some((one) => one === outcome)),
          ),
          (thing) => patch(thing, ONE(NEXT[thing.status as string] as string[])),
        ),
      print: async () => {
        const thing = made({ outcome: 'RUNNING', hasBegun: true });
        if (random() < 0.5) {
          thing.jobId = (await makeJob(gateway, thing.farm, { PrintName: thing.name }, 'Printing')).Id;
          thing.status = 'Printing';
        }
        const members = { name: thing.name, outcome: 'RUNNING', endedAt: null, filament: null, jobId: thing.jobId };
        thing.printId = await makePrint(gateway, thing.farm.printerId, members);
        touch(thing);
      },
      finish: () =>
        some(
          prints(({ outcome }) => outcome === 'RUNNING'),
          (thing) => finish(thing, ONE([...ENDED, 'UNRESOLVED'])),
        ),
      resolve: () =>
        some(
          prints(({ outcome }) => outcome === 'UNRESOLVED'),
          (thing) => finish(thing, ONE([...ENDED, 'RUNNING'])),
        ),
      assign: () =>
        some(
          prints(({ jobId, isIgnored }) => jobId === null && !isIgnored),
          async (thing) => {
            thing.jobId = (await makeJob(gateway, thing.farm, { PrintName: thing.name }, 'Printing')).Id;
            thing.status = 'Printing';
            await setPrint(thing, `job_id = '${thing.jobId}'`);
            if (ENDED.some((one) => one === thing.outcome))
              await patch(thing, STATUS[thing.outcome as string] as string);
          },
        ),
      ignore: () =>
        some(
          prints(({ jobId }) => jobId === null),
          async (thing) => {
            thing.isIgnored = !thing.isIgnored;
            await setPrint(thing, `ignored_at = ${thing.isIgnored ? 'now()' : 'null'}`);
          },
        ),
      remark: () =>
        some(
          prints(() => true),
          (thing) => setPrint(thing, `reason = 'remark ${clock}'`),
        ),
      target: async () => {
        if (listeners.length > 5) return;
        const events = ALL_EVENTS.slice(0, 3).filter(() => random() < 0.8);
        const printerId = random() < 0.3 ? ONE(farms).printerId : null;
        const id = await addTarget(gateway, { events, printerIds: printerId === null ? [] : [printerId] });
        const one = { id, events, printerId, from: 0, isEnabled: false, told: [] };
        listeners.push(one);
        listen(one);
      },
      disable: async () => {
        const one = ONE(listeners);
        if (one === undefined) return;
        await setEnabled(gateway, one.id, !one.isEnabled);
        if (one.isEnabled) one.isEnabled = false;
        else listen(one);
      },
    };
    const reportAll = () => {
      if (listeners.every(({ isEnabled }) => !isEnabled)) return;
      const events: { at: number; text: string; thing: Thing }[] = [];
      for (const thing of things) {
        const [before, now, { since }] = [thing.told, describeState(thing), thing];
        const event = (at: number, text: string) => events.push({ at, text, thing });
        if (now.began && !before.began) event(since.began, `PRINT_BEGAN ${thing.name}`);
        if (now.end !== null && now.end !== before.end && now.began)
          event(since.end, `PRINT_ENDED ${thing.name} ${now.end}`);
        if (now.wait !== null && now.wait !== before.wait) event(since.wait, `PRINT_WAITS ${thing.name} ${now.wait}`);
        thing.told = now;
      }
      for (const { at, text, thing } of events.toSorted((one, other) => one.at - other.at)) {
        for (const one of listeners) {
          const isFor = one.isEnabled && one.from < at && [null, thing.farm.printerId].includes(one.printerId);
          if (isFor && !thing.isIgnored && one.events.some((event) => text.startsWith(event))) one.told.push(text);
        }
      }
    };
    let process = await startReporter(gateway);
    for (let step = 0; step < 80; step += 1) {
      const name = ONE([...Object.keys(acts), 'job', 'patch', 'patch', 'print', 'finish']);
      steps.push(name);
      await acts[name]?.();
      if (random() < 0.1) process = await startReporter(gateway);
      if (random() < 0.6) {
        await process.read();
        reportAll();
        for (const one of listeners) {
          const seen = { steps: steps.join(' '), target: listeners.indexOf(one) };
          expect({ ...seen, told: await summarizeDeliveries(gateway, one.id) }).toEqual({ ...seen, told: one.told });
        }
      }
    }
    expect(listeners.flatMap(({ told }) => told).length).toBeGreaterThan(10);
    await takeLease(gateway);
  });
});
