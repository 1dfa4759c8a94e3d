// The buttons for the statuses that a job may have next. The page shows the new one at once, and takes it back when refused.
import { useMutation } from '@apollo/client/react';
import { useContext, useEffect, useRef, useState } from 'react';
import { ChangeJobStatusDocument, type JobRowFragment, type PrintJobStatus } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { useConfirm } from '../parts/confirm';
import { IsLive } from '../parts/is-live';
import { JOB_STATUSES } from '../parts/job-statuses';
import { Outcome } from '../parts/loading-states';
import { Menu } from '../parts/menu';
import { problemOf } from '../parts/problem';
import { useMayWrite } from '../parts/use-viewer';
import styles from './jobs.module.css';

export const ACTIONS: Record<PrintJobStatus, string> = {
  QUEUED: 'Queue again',
  PRINTING: 'Start',
  COMPLETED: 'Complete',
  CANCELLED: 'Cancel',
  FAILED: 'Mark as failed',
};

/** The action with its object: "Mark 2 jobs as failed". */
export const actionOn = (status: PrintJobStatus, what: string): string =>
  ({
    QUEUED: `Queue ${what} again`,
    PRINTING: `Start ${what}`,
    COMPLETED: `Complete ${what}`,
    CANCELLED: `Cancel ${what}`,
    FAILED: `Mark ${what} as failed`,
  })[status];

/** They are rare, and so not in the way. */
const LOSSES: readonly PrintJobStatus[] = ['CANCELLED', 'FAILED'];

export function StatusButtons({ job }: { job: JobRowFragment }) {
  const group = useRef<HTMLDivElement>(null);
  /** `until`: a change without an answer is shown while the job has its status of before. */
  const [refusal, setRefusal] = useState<{ text: string; until?: PrintJobStatus }>();
  const [outcome, setOutcome] = useState<PrintJobStatus>();
  const isLive = useContext(IsLive);
  const [change] = useMutation(ChangeJobStatusDocument);
  const confirm = useConfirm();
  const mayWrite = useMayWrite();
  const printName = job.printName || 'Unnamed';
  const now = useRef(job.status);
  now.current = job.status;
  useEffect(() => {
    // All is read anew when the gateway is back.
    if (isLive) setRefusal((refusal) => (refusal?.until === undefined ? refusal : undefined));
  }, [isLive]);

  const turn = async (status: PrintJobStatus) => {
    const { isFinal } = JOB_STATUSES[status];
    const question = {
      // The signs keep a name that is written from right to left apart from the question.
      title: `${actionOn(status, `“\u2068${printName}\u2069”`)}?`,
      text: 'The job ends. You cannot queue or print it again.',
      action: actionOn(status, 'job'),
      dismiss: 'Keep job',
    };
    if (isFinal && !(await confirm(question))) return;
    setOutcome(undefined);
    setRefusal(undefined);
    // Another caller was faster than the answer to the question.
    if (now.current !== job.status) {
      setRefusal({
        text: `Not changed: the status of the job is now ${JOB_STATUSES[now.current].name.toLowerCase()}.`,
      });
      return;
    }
    try {
      await change({
        variables: { id: job.id, status },
        // The next transitions are the gateway's to say.
        optimisticResponse: { changePrintJobStatus: { ...job, status, allowedTransitions: [] } },
      });
      setOutcome(status);
    } catch (error) {
      const { message, codes } = problemOf(error);
      setRefusal(codes.length > 0 ? { text: message } : { text: message, until: job.status });
    }
    // The pressed button may have gone with its status.
    if (document.activeElement === document.body) group.current?.focus();
  };

  if (!mayWrite) return null;
  const next = job.allowedTransitions.filter((status) => status !== job.status);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div ref={group} className={styles['buttons']} role="group" aria-label={`Status of ${printName}`} tabIndex={-1}>
      {next
        .filter((status) => !LOSSES.includes(status))
        .map((status) => (
          <Button key={status} aria-label={`${ACTIONS[status]} ${printName}`} onClick={() => void turn(status)}>
            {ACTIONS[status]}
          </Button>
        ))}
      {next.some((status) => LOSSES.includes(status)) && (
        <Menu
          label={`More actions for ${printName}`}
          items={next
            .filter((status) => LOSSES.includes(status))
            .map((status) => ({ name: actionOn(status, 'job'), onClick: () => void turn(status) }))}
        />
      )}
      {/* Another caller may have changed it since. */}
      <Outcome>{outcome === job.status && `Now ${JOB_STATUSES[outcome].name.toLowerCase()}.`}</Outcome>
      {refusal !== undefined && [undefined, job.status].includes(refusal.until) && (
        <Outcome isBad>{refusal.text}</Outcome>
      )}
    </div>
  );
}
