// Plays recordings of machines through adapters and rules: whole, cut after messages, and with gaps (see test/support/replay.ts).
import { BAMBU } from '../recordings/bambu/recordings';
import { MOONRAKER } from '../recordings/moonraker/recordings';
import { OCTOPRINT } from '../recordings/octoprint/recordings';
import { PRUSALINK } from '../recordings/prusalink/recordings';
import type { ExpectedPrint, Recording } from '../recordings/recording';
import { replay, replayCuts, replayInTurns, replayMerges } from '../support/replay';

const RECORDINGS: Recording[] = [...MOONRAKER, ...OCTOPRINT, ...PRUSALINK, ...BAMBU];
const named = RECORDINGS.map((recording) => [recording.name, recording] as const);

test.each(named)('%s', async (_, recording) => {
  expectPrints((await replay(recording)).prints(), recording.expected, 1);
});

test.each(named)('%s, cut after a message', async (_, recording) => {
  for await (const { cut, step, replayed } of replayCuts(recording)) {
    const exception = recording.cannotTell.find(({ from, to }) => step.at >= from && step.at <= to);
    try {
      expectPrints(replayed.prints(), exception?.expected ?? recording.expected, 60);
    } catch (error) {
      const where = `cut behind step ${cut}, at ${step.at} s: ${JSON.stringify(step.message)}`;
      throw new Error(`${where}\n${(error as Error).message}`);
    }
  }
});

test.each(BAMBU.map((recording) => [recording.name, recording] as const))(
  '%s, each message twice',
  async (_, recording) => {
    const steps = recording.steps.flatMap((step) => [step, step]);
    expectPrints((await replay({ ...recording, steps })).prints(), recording.expected, 1);
  },
);

describe.each(named)('%s, messages merged', (_, recording) => {
  test.each([
    [2, 0],
    [2, 1],
    [7, 0],
  ])('%i messages wait together, after the first %i', async (count, first) => {
    // A checkpoint may be older by the steps that waited, and so may the estimated end of a print without a gateway.
    expectPrints((await replayInTurns(recording, count, first)).prints(), (await replay(recording)).prints(), 60);
  });

  test('two messages arrive as one', async () => {
    const whole = (await replay(recording)).prints();
    const wrong: unknown[] = [];
    for await (const { step, replayed } of replayMerges(recording)) {
      const known = recording.inMerges.find(({ from, to }) => step.at >= from && step.at <= to);
      const found = replayed.prints();
      const isSame = found.length === whole.length && found.every((print, at) => isLike(print, whole[at]));
      if (!isSame && formatPrints(found) !== formatPrints(known?.expected ?? []))
        wrong.push({ at: step.at, message: JSON.stringify(step.message), found });
    }
    expect(wrong).toEqual([]);
  });

  /** The times are those of the later message. If a machine measures all slots together, the slots may be estimated. */
  function isLike(print: ExpectedPrint, whole: ExpectedPrint | undefined): boolean {
    if (
      whole === undefined ||
      formatPrints([{ ...print, filament: [] }]) !== formatPrints([{ ...whole, filament: [] }])
    )
      return false;
    const total = recording.inGaps?.total;
    return `${print.filament}` === `${whole.filament}` || (total !== undefined && isEstimate(print.filament, total));
  }
});

/** Without times. */
const formatPrints = (prints: readonly ExpectedPrint[]) =>
  JSON.stringify(
    prints.map(({ name, externalId, outcome, reason, filament }) => [name, externalId, outcome, reason, filament]),
  );

/** No gateway runs from one message to another: the outcome of a print is the same or unknown, and no print is recorded twice. */
test.each(named)('%s, with gaps', async (_, recording) => {
  const { steps, expected, inGaps } = recording;
  // Two gap lengths after each message; all four take 10 s more.
  const lengths = (cut: number) => (cut % 2 === 0 ? [2, 12] : [5, 40]);
  const untils = (cut: number) =>
    lengths(cut)
      .map((more) => cut + more)
      .filter((until) => until < steps.length);
  const isPossible = (print: ExpectedPrint) => {
    const { outcome, filament } = nearest(expected, print);
    if (print.outcome !== outcome) return ['UNRESOLVED', inGaps?.outcome].includes(print.outcome);
    const isExpected = [filament, inGaps?.filament].some((one) => `${one}` === `${print.filament}`);
    return isExpected || (inGaps?.total !== undefined && isEstimate(print.filament, inGaps.total));
  };
  const wrong: unknown[] = [];
  for await (const { cut, until, replayed } of replayCuts(recording, untils)) {
    const found = replayed.prints();
    const unheard = `steps ${cut + 1} to ${until - 2}, until ${steps[until - 1]?.at} s`;
    if (found.length > expected.length + (inGaps?.more ?? 0) || !found.every(isPossible))
      wrong.push({ unheard, found });
  }
  expect(wrong).toEqual([]);
});

/** Nothing is lost, nothing is counted twice, and nothing estimated is called measured. */
function isEstimate(filament: string[], total: number): boolean {
  const parts = filament.map((one) => one.split(' '));
  const sum = parts.reduce((all, [, mm]) => all + Math.round(Number(mm) * 10_000), 0);
  return sum === Math.round(total * 10_000) && parts.every(([, , , basis]) => basis === 'ESTIMATED');
}

function nearest(prints: ExpectedPrint[], { externalId, startedAt }: ExpectedPrint): ExpectedPrint {
  const distance = (print: ExpectedPrint) => Math.abs((print.startedAt as number) - (startedAt as number));
  const same = prints.find((print) => print.externalId != null && print.externalId === externalId);
  return same ?? ([...prints].sort((one, other) => distance(one) - distance(other))[0] as ExpectedPrint);
}

/** Compares the resulting prints with the expected prints of a recording. */
function expectPrints(found: ExpectedPrint[], expected: ExpectedPrint[], toleranceSec: number): void {
  const near = (ours: number | null, theirs: number | null) =>
    ours !== null && theirs !== null && Math.abs(ours - theirs) <= toleranceSec ? theirs : ours;
  const shown = found.map((print, index) => {
    const { startedAt, endedAt, externalId, reason } = expected[index] ?? print;
    return {
      ...print,
      startedAt: near(print.startedAt, startedAt),
      endedAt: near(print.endedAt, endedAt),
      // Not every recording reports them.
      ...(externalId === undefined && { externalId }),
      ...(reason === undefined && { reason }),
    };
  });
  expect(shown).toEqual(expected);
}
