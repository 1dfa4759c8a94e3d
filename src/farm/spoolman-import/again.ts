// Decides what a new import of an object writes: a member that has changed there and not here. If it has changed in both, the value here stays.
import type { ImportChange } from './import-plan';
import type { Imported } from './stock-here';

/** A member of an object as texts, which are equal exactly when the values are. */
export interface Member {
  name: string;
  /** The value in Spoolman. */
  there: string | null;
  /** The value that is written for it. */
  target: string | null;
  /** The value here; null for a new object. */
  here: string | null;
  /** What the user reads, where it differs from the texts. */
  show?: { from: string | null; to: string | null };
}

export interface Again {
  changes: ImportChange[];
  /** The names of the members that have changed in both. */
  kept: string[];
  /** The names of the members that are written. */
  written: Set<string>;
  imported: Imported;
}

/** @param before null for an object that was not imported before */
export function compareMembers(members: readonly Member[], before: Imported | null): Again {
  const again: Again = { changes: [], kept: [], written: new Set(), imported: { values: {}, written: {} } };
  for (const member of members) {
    const { name, there, target, here } = member;
    const thereBefore = before?.values[name] ?? null;
    const hereBefore = before === null ? null : name in before.written ? (before.written[name] ?? null) : thereBefore;
    const note = (value: string | null, atHere: string | null) => {
      if (value === null && atHere === null) return;
      again.imported.values[name] = value;
      if (atHere !== value) again.imported.written[name] = atHere;
    };
    if (there === thereBefore) note(there, hereBefore);
    else if (here === target) note(there, target);
    else if (here === hereBefore) {
      again.changes.push({
        member: name,
        from: member.show ? member.show.from : here,
        to: member.show ? member.show.to : target,
      });
      again.written.add(name);
      note(there, target);
    } else {
      again.kept.push(name);
      // The next import finds the same difference.
      note(thereBefore, hereBefore);
    }
  }
  return again;
}

export const listText = (texts: readonly string[]): string | null => (texts.length === 0 ? null : texts.join(', '));

export const explainKept = (kept: readonly string[]): string[] =>
  kept.length === 0 ? [] : [`Changed here and in Spoolman, so the value here stays: ${kept.join(', ')}.`];

/** The members of the own fields that the farm has. */
export function extraMembers(
  there: Record<string, string>,
  here: Record<string, string>,
  isKnown: (key: string) => boolean,
): Member[] {
  const keys = [...new Set([...Object.keys(there), ...Object.keys(here)])].filter(isKnown).sort();
  return keys.map((key) => ({
    name: `extra.${key}`,
    there: there[key] ?? null,
    target: there[key] ?? null,
    here: here[key] ?? null,
  }));
}

/** The own fields after the members were written. */
export function writeExtra(
  here: Record<string, string>,
  members: readonly Member[],
  written: ReadonlySet<string>,
): Record<string, string> {
  const extra = { ...here };
  for (const { name, target } of members) {
    if (!written.has(name) || !name.startsWith('extra.')) continue;
    const key = name.slice('extra.'.length);
    if (target === null) delete extra[key];
    else extra[key] = target;
  }
  return extra;
}
