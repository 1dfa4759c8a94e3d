// The SQL that adds and counts the sightings of a print, and the limit of sightings per print.
import type { Queryable } from '../../database/queryable';
import type { Instant } from '../../values/instant';
import type { SightingKind } from '../print-rules/print.model';

/** The most sightings of one print, because a machine may pause and continue forever. */
const MAX_SIGHTINGS = 1000;

/** One line of a print's history. */
export interface Sighting {
  /** A sighting that is written twice is stored once, by its key. */
  key: string;
  at: Instant;
  kind: SightingKind;
  text: string;
}

export class SightingStore {
  constructor(private readonly database: Queryable) {}

  /** Adds sightings. Sightings whose keys are already stored are left out. */
  async add(printId: string, sightings: readonly Sighting[]): Promise<void> {
    if (sightings.length === 0) return;
    const stored = await this.count('written', { printId });
    const data = limitSightings(sightings, stored).map((sighting) => ({ ...sighting, printId }));
    await this.database.attempt('sightings.add', ({ prisma }) =>
      prisma.printSighting.createMany({ data, skipDuplicates: true }),
    );
  }

  /** How often these prints started. */
  countStarts(printIds: string[]): Promise<number> {
    return this.count('starts', { printId: { in: printIds }, kind: 'STARTED' });
  }

  /** Whether a user entered the spool of the print. */
  async isCorrected(printId: string): Promise<boolean> {
    return (await this.count('isCorrected', { printId, kind: 'CORRECTED' })) > 0;
  }

  private count(name: string, where: { printId: string | { in: string[] }; kind?: SightingKind }): Promise<number> {
    return this.database.models(`sightings.${name}`, (prisma) => prisma.printSighting.count({ where }));
  }
}

/** Sightings about the end of a print, and sightings that a user caused, are stored up to twice the limit. */
function limitSightings(sightings: readonly Sighting[], stored: number): Sighting[] {
  return sightings.flatMap((sighting, at) => {
    const left = MAX_SIGHTINGS - stored - at;
    const isImportant = ['ENDED', 'RESOLVED', 'AMENDED', 'CORRECTED'].includes(sighting.kind);
    if (left > 1 || (left > -MAX_SIGHTINGS && isImportant)) return [sighting];
    return left === 1 ? [{ ...sighting, text: `${sighting.text}. From here on, only the end is recorded` }] : [];
  });
}
