// The printers and spools that a job may have: those in use, and those that it has already.
import type { JobChoicesQuery, JobDetailsFragment } from '../../generated/web-operations';
import { inNaturalOrder } from '../parts/words';

type Choice = readonly [id: string, name: string];

export function choicesOf({ printers, spools }: JobChoicesQuery, job?: JobDetailsFragment) {
  const isOpen = ({ id, archivedAt }: { id: string; archivedAt: string | null }) =>
    archivedAt === null || id === job?.printer?.id || id === job?.spool?.id;
  return {
    printers: sorted(printers.nodes.filter(isOpen).map(({ id, name }) => [id, name])),
    spools: sorted(
      spools.nodes.filter(isOpen).map(({ id, spoolSerial, material }) => [id, `${spoolSerial} (${material.name})`]),
    ),
  };
}

const sorted = (choices: Choice[]): Choice[] => [
  ['', 'Choose …'],
  ...choices.sort(([, one], [, other]) => inNaturalOrder(one, other)),
];
