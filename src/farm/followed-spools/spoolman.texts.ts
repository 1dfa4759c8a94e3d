// Writes the sentence that explains why the slots of a printer do not follow Moonraker's active spool.
import type { Obstacle, SpoolProblem, StoredSpoolman } from './followed-spools.model';

/** @returns `null` while the slots follow */
export function explainSpoolman(
  { isThisGateway, obstacle, problem }: StoredSpoolman,
  followsSpools: boolean,
): string | null {
  if (!followsSpools)
    return 'The slots do not follow the machine, because followsSpools is off. Switch it on, or load the spools yourself.';
  if (isThisGateway === null)
    return (
      'The gateway does not know yet whether it is the Spoolman of this printer, because Moonraker cannot reach its Spoolman. ' +
      'Check the server and its key in the section [spoolman] of moonraker.conf.'
    );
  if (!isThisGateway)
    return (
      'Moonraker uses another Spoolman, so its spool numbers do not belong to this farm. ' +
      'Enter this gateway as the server in the section [spoolman] of moonraker.conf.'
    );
  if (obstacle !== null) return explainObstacle(obstacle);
  return problem && explainProblem(problem);
}

const explainObstacle = (obstacle: Obstacle) =>
  obstacle.cause === 'UNIT'
    ? `The gateway cannot follow the filament unit of this printer (${obstacle.name}). Load the spools yourself.`
    : 'This printer has several tools, but no macro T0, T1 or so on. Add the macros with variable_spool_id, or load the spools yourself.';

const explainProblem = ({ cause, number }: SpoolProblem) =>
  cause === 'UNKNOWN'
    ? `The machine uses spool ${number}, but the farm has no spool with this number. Add the spool, or choose another spool at the machine.`
    : `The machine uses spool ${number}, which is archived. Restore the spool, or choose another spool at the machine.`;
