// Collects all faults of one row of an imported list, so that the user can correct them together.
import { formatIssues, InputError, type Issue } from '../../errors';

/** The columns whose members have another name in the inputs of mutations. */
const COLUMNS: Record<string, string> = {
  materialId: 'material',
  filamentId: 'filamentNumber',
  remainingGrams: 'weighedGrams',
};

/** The column of a fault; undefined for a fault of the whole row. */
function findColumn({ path }: Issue): string | undefined {
  const member = path.findLast((name) => typeof name === 'string');
  return member === undefined ? undefined : (COLUMNS[member] ?? member);
}

export class RowFaults {
  private readonly issues: Issue[] = [];

  get isEmpty(): boolean {
    return this.issues.length === 0;
  }

  has(column: string): boolean {
    return this.issues.some((issue) => findColumn(issue) === column);
  }

  /** @returns undefined if the check throws faults */
  collect<Result>(check: () => Result): Result | undefined {
    try {
      return check();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  /** @returns undefined if the check throws faults */
  collectLater<Result>(check: () => Promise<Result>): Promise<Result | undefined> {
    return check().catch((error: unknown) => {
      this.add(error);
      return undefined;
    });
  }

  describe(): string {
    return formatIssues(this.issues, (member) => COLUMNS[member] ?? member);
  }

  /** The first fault of a column counts. Later checks find others in its place, such as a missing value if the cell cannot be read. */
  private add(error: unknown): void {
    if (!(error instanceof InputError)) throw error;
    const known = new Set(this.issues.map(findColumn));
    known.delete(undefined);
    this.issues.push(...error.issues.filter((issue) => !known.has(findColumn(issue))));
  }
}
