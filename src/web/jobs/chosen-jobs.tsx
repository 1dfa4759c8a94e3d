// The jobs that are ticked, and the statuses that all of them get at once.
import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { ChangeJobStatusDocument, type JobRowFragment, type PrintJobStatus } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { useConfirm } from '../parts/confirm';
import { JOB_STATUSES } from '../parts/job-statuses';
import { Outcome } from '../parts/loading-states';
import { problemOf } from '../parts/problem';
import { TickedBar } from '../parts/row-selection';
import { ACTIONS, actionOn } from './status-buttons';

interface ChosenJobsProps {
  chosen: readonly JobRowFragment[];
  onClear: () => void;
}

export function ChosenJobs({ chosen, onClear }: ChosenJobsProps) {
  const apollo = useApolloClient();
  const confirm = useConfirm();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState({ text: '', isBad: false });
  /** One after the other. A refusal of one leaves the others. */
  const each = async (jobs: readonly JobRowFragment[], act: (job: JobRowFragment) => Promise<unknown>) => {
    setBusy(true);
    const refused: string[] = [];
    for (const job of jobs)
      await act(job).catch((error) => refused.push(`${job.printName || 'Unnamed'}: ${problemOf(error).message}.`));
    setBusy(false);
    const done = `${jobs.length - refused.length} of ${jobs.length} changed.`;
    setOutcome({ text: [done, ...refused].join(' '), isBad: refused.length > 0 });
  };
  const turn = async (status: PrintJobStatus, jobs: readonly JobRowFragment[]) => {
    const question = {
      title: `${actionOn(status, countOf(jobs.length))}?`,
      text: 'The jobs end. You cannot queue or print them again.',
      action: actionOn(status, countOf(jobs.length)),
      dismiss: jobs.length === 1 ? 'Keep job' : 'Keep jobs',
    };
    if (JOB_STATUSES[status].isFinal && !(await confirm(question))) return;
    await each(jobs, ({ id }) => apollo.mutate({ mutation: ChangeJobStatusDocument, variables: { id, status } }));
  };
  const possible = (Object.keys(ACTIONS) as PrintJobStatus[])
    .map((status) => [status, chosen.filter((job) => mayTurn(job, status))] as const)
    .filter(([, jobs]) => jobs.length > 0);
  return (
    <TickedBar
      label="Selected jobs"
      count={countOf(chosen.length)}
      onClear={onClear}
      outcome={<Outcome isBad={outcome.isBad}>{outcome.text}</Outcome>}
    >
      {possible.map(([status, jobs]) => (
        <Button key={status} isBusy={isBusy} onClick={() => void turn(status, jobs)}>
          {actionOn(status, countOf(jobs.length))}
        </Button>
      ))}
    </TickedBar>
  );
}

const mayTurn = (job: JobRowFragment, status: PrintJobStatus) =>
  status !== job.status && job.allowedTransitions.includes(status);

const countOf = (count: number) => (count === 1 ? '1 job' : `${count} jobs`);
