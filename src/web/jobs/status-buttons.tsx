// The buttons for the statuses that a job may have next. The page shows the new one at once, and takes it back when refused.
import { useMutation } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { ChangeJobStatusDocument, type JobRowFragment, type PrintJobStatus } from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { useConfirm } from '../parts/confirm';
import { problemOf } from '../parts/problem';
import { Outcome } from '../parts/states';
import { useMayWrite } from '../parts/viewer';
import { JOB_STATUSES } from '../parts/words';
import styles from './jobs.module.css';

const ACTIONS: Record<PrintJobStatus, string> = {
  QUEUED: 'Queue again',
  PRINTING: 'Start',
  COMPLETED: 'Complete',
  CANCELLED: 'Cancel',
  FAILED: 'Fail',
};

export function StatusButtons({ job }: { job: JobRowFragment }) {
  const group = useRef<HTMLDivElement>(null);
  const [refusal, setRefusal] = useState('');
  const [outcome, setOutcome] = useState('');
  const [change] = useMutation(ChangeJobStatusDocument);
  const confirm = useConfirm();
  const mayWrite = useMayWrite();
  const printName = job.printName || 'Unnamed';

  const turn = async (status: PrintJobStatus) => {
    const { name, isFinal } = JOB_STATUSES[status];
    const question = {
      title: `${ACTIONS[status]} “${printName}”?`,
      text: 'This ends the job. It cannot be queued or printed again.',
      action: `${ACTIONS[status]} the job`,
    };
    if (isFinal && !(await confirm(question))) return;
    setRefusal('');
    setOutcome('');
    try {
      await change({
        variables: { id: job.id, status },
        // The next transitions are the gateway's to say.
        optimisticResponse: { changePrintJobStatus: { ...job, status, allowedTransitions: [] } },
      });
      setOutcome(`Now ${name.toLowerCase()}.`);
      announce(`${printName} is now ${name.toLowerCase()}.`);
    } catch (error) {
      setRefusal(problemOf(error).message);
    }
    // The pressed button may have gone with its status.
    if (document.activeElement === document.body) group.current?.focus();
  };

  if (!mayWrite) return null;
  const next = job.allowedTransitions.filter((status) => status !== job.status);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div ref={group} className={styles['buttons']} role="group" aria-label={`Status of ${printName}`} tabIndex={-1}>
      {next.map((status) => (
        <Button
          key={status}
          kind={status === 'CANCELLED' || status === 'FAILED' ? 'danger' : 'plain'}
          aria-label={`${ACTIONS[status]} ${printName}`}
          onClick={() => void turn(status)}
        >
          {ACTIONS[status]}
        </Button>
      ))}
      {outcome !== '' && <Outcome>{outcome}</Outcome>}
      {refusal !== '' && <Outcome isBad>{refusal}</Outcome>}
    </div>
  );
}
