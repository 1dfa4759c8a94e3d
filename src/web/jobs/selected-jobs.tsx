// The bar before the list of jobs that changes the status or the spool of all selected jobs.
import { useApolloClient } from '@apollo/client/react';
import { type ReactNode, useState } from 'react';
import {
  ChangeJobSpoolDocument,
  ChangeJobStatusDocument,
  type JobRowFragment,
  type PrintJobStatus,
} from '../../generated/web-operations';
import { Button } from '../parts/button';
import { useConfirm } from '../parts/confirm';
import { FormDialog } from '../parts/form';
import { JOB_STATUSES } from '../parts/job-statuses';
import { Outcome } from '../parts/loading-states';
import { toProblem } from '../parts/problem';
import { type RowSelection, SelectionBar } from '../parts/row-selection';
import { ChangeSpoolForm } from './change-spool-form';
import { ACTIONS, describeAction } from './status-buttons';

interface SelectedJobsProps {
  selected: readonly JobRowFragment[];
  selection: RowSelection;
  /** The button that selects more jobs. */
  children: ReactNode;
}

export function SelectedJobs({ selected, selection, children }: SelectedJobsProps) {
  const apollo = useApolloClient();
  const confirm = useConfirm();
  const [isBusy, setBusy] = useState(false);
  const [isChoosingSpool, setChoosingSpool] = useState(false);
  const [outcome, setOutcome] = useState({ text: '', isBad: false });
  /** Changes the jobs one after another. If the gateway rejects a change, the others are still made. */
  const changeEach = async (jobs: readonly JobRowFragment[], act: (job: JobRowFragment) => Promise<unknown>) => {
    setBusy(true);
    const refused: string[] = [];
    for (const job of jobs)
      await act(job).catch((error) => refused.push(`${job.printName || 'Unnamed'}: ${toProblem(error).message}.`));
    setBusy(false);
    const done = `${jobs.length - refused.length} of ${jobs.length} changed.`;
    setOutcome({ text: [done, ...refused].join(' '), isBad: refused.length > 0 });
  };
  const changeStatus = async (status: PrintJobStatus, jobs: readonly JobRowFragment[]) => {
    const question = {
      title: `${describeAction(status, formatCount(jobs.length))}?`,
      text: 'The jobs end. You cannot queue or print them again.',
      action: describeAction(status, formatCount(jobs.length)),
      dismiss: jobs.length === 1 ? 'Keep job' : 'Keep jobs',
    };
    if (JOB_STATUSES[status].isFinal && !(await confirm(question))) return;
    await changeEach(jobs, ({ id }) => apollo.mutate({ mutation: ChangeJobStatusDocument, variables: { id, status } }));
  };
  const changeSpool = async (spoolId: string) => {
    setChoosingSpool(false);
    await changeEach(selected, ({ id }) =>
      apollo.mutate({ mutation: ChangeJobSpoolDocument, variables: { id, spoolId } }),
    );
  };
  const possible = (Object.keys(ACTIONS) as PrintJobStatus[])
    .map((status) => [status, selected.filter((job) => canChange(job, status))] as const)
    .filter(([, jobs]) => jobs.length > 0);
  return (
    <SelectionBar
      label="Selected jobs"
      count={formatCount(selected.length)}
      selection={selection}
      outcome={<Outcome isBad={outcome.isBad}>{outcome.text}</Outcome>}
    >
      {possible.map(([status, jobs]) => (
        <Button key={status} isBusy={isBusy} onClick={() => void changeStatus(status, jobs)}>
          {describeAction(status, formatCount(jobs.length))}
        </Button>
      ))}
      <Button isBusy={isBusy} onClick={() => setChoosingSpool(true)}>
        {`Change spool of ${formatCount(selected.length)}`}
      </Button>
      {children}
      <FormDialog
        title={`Change the spool of ${formatCount(selected.length)}`}
        isOpen={isChoosingSpool}
        onClose={() => setChoosingSpool(false)}
      >
        <ChangeSpoolForm
          jobs={selected}
          onChoose={(spoolId) => void changeSpool(spoolId)}
          onCancel={() => setChoosingSpool(false)}
        />
      </FormDialog>
    </SelectionBar>
  );
}

const canChange = (job: JobRowFragment, status: PrintJobStatus) =>
  status !== job.status && job.allowedTransitions.includes(status);

const formatCount = (count: number) => (count === 1 ? '1 job' : `${count} jobs`);
