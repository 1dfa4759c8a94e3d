// What was heard of prints, as decisions write it.
import type { Queryable } from '../../database/queryable';
import type { Instant } from '../../values/instant';
import type { SightingKind } from '../print-rules/print.model';

/** Of one print. */
const MAX_SIGHTINGS = 1000;

export interface Sighting {
  /** One that is written twice is there once. */
  key: string;
  at: Instant;
  kind: SightingKind;
  text: string;
}

export class SightingStore {
  constructor(private readonly database: Queryable) {}

  /** Sightings that are stored already, by their keys, are left out. */
  async add(printId: string, sightings: readonly Sighting[]): Promise<void> {
    if (sightings.length === 0) return;
    const written = await this.count('written', { printId });
    const data = withinBound(sightings, written).map((one) => ({ ...one, printId }));
    await this.database.attempt('sightings.add', ({ prisma }) =>
      prisma.printSighting.createMany({ data, skipDuplicates: true }),
    );
  }

  /** How often these prints were seen to begin. */
  starts(printIds: string[]): Promise<number> {
    return this.count('starts', { printId: { in: printIds }, kind: 'STARTED' });
  }

  /** Whether a person said its spool. */
  async isCorrected(printId: string): Promise<boolean> {
    return (await this.count('isCorrected', { printId, kind: 'CORRECTED' })) > 0;
  }

  private count(name: string, where: { printId: string | { in: string[] }; kind?: SightingKind }): Promise<number> {
    return this.database.models(`sightings.${name}`, (prisma) => prisma.printSighting.count({ where }));
  }
}

/** A machine may pause and go on for ever. What became of a print, and what people say, is written, though not for ever. */
function withinBound(sightings: readonly Sighting[], written: number): Sighting[] {
  return sightings.flatMap((one, at) => {
    const left = MAX_SIGHTINGS - written - at;
    const isSaid = ['ENDED', 'RESOLVED', 'AMENDED', 'CORRECTED'].includes(one.kind);
    if (left > 1 || (left > -MAX_SIGHTINGS && isSaid)) return [one];
    return left === 1 ? [{ ...one, text: `${one.text}. What follows is not written, but for its end` }] : [];
  });
}
