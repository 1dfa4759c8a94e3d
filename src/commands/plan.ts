// The command `plan`: writes what slicers say of prints as JSON. Nothing is written when one of the files cannot be read.
import { readPlan } from '../plans/read';

export async function plan(files: readonly string[], print = false): Promise<void> {
  if (!print) throw new Error('Give --print: the command writes plans as JSON, and does nothing else.');
  const lines: string[] = [];
  for (const file of files) lines.push(JSON.stringify(await readPlan(file)));
  console.log(lines.join('\n'));
}
