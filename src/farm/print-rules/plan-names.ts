// By which names a print finds its plan: slicers, file systems and printers write the name of one file in different ways.
import { baseNameOf } from '../../values/text';
import type { RunningPrint } from './print.model';

/** PostgreSQL understands it too: print-plans/print-plan.rows.ts. */
export const PLAN_ENDINGS = /(?<=.)(\.gcode)?\.3mf$|(?<=.)\.(b?gcode|gco)$/i;

/** One text for one name: systems write the same letters in different forms. */
export function baseName(path: string): string {
  return baseNameOf(path).normalize();
}

export const planName = (path: string): string => baseName(path).replace(PLAN_ENDINGS, '');

export interface PlanKey {
  name: string;
  plate: number;
}

/** The names and plates under which the plan of a print may be. */
export function planKeysOf({
  name,
  filePath,
  machine,
}: Pick<RunningPrint, 'name' | 'filePath' | 'machine'>): PlanKey[] {
  const plate = machine.platePath?.exec(filePath ?? '')?.[1];
  if (plate === undefined) {
    const names = filePath === null ? [name] : [name, filePath];
    return [...new Set(names.map(planName))].map((one) => ({ name: one, plate: 1 }));
  }
  const own = planName(name);
  const keys = [{ name: own, plate: Number(plate) }];
  // Slicers call one plate of a project so. It is the only plate of its G-code, and one of the plates of the project's file.
  const ending = `_plate_${plate}`;
  if (!own.endsWith(ending)) return keys;
  return [...keys, { name: own, plate: 1 }, { name: own.slice(0, -ending.length), plate: Number(plate) }];
}
