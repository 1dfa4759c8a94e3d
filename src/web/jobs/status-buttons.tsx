// The buttons that change the status of a job. The page shows the new status immediately, and reverts it if the gateway rejects the
// change.
import { useMutation } from '@apollo/client/react';
import { useContext, useEffect, useRef, useState } from 'react';
import { ChangeJobStatusDocument, type JobRowFragment, type PrintJobStatus } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { useConfirm } from '../parts/confirm';
import { IsLive } from '../parts/is-live';
import { JOB_STATUSES } from '../parts/job-statuses';
import { Outcome } from '../parts/loading-states';
import { Menu } from '../parts/menu';
import { toProblem } from '../parts/problem';
import { useMayWrite } from '../parts/use-viewer';
import styles from './jobs.module.css';

export const ACTIONS: Record<PrintJobStatus, string> = {
  QUEUED: 'Queue again',
  PRINTING: 'Start',
  COMPLETED: 'Complete',
  CANCELLED: 'Cancel',
  FAILED: 'Mark as failed',
};

/** Names the action with its object: "Mark 2 jobs as failed". */
export const describeAction = (status: PrintJobStatus, what: string): string =>
  ({
    QUEUED: `Queue ${what} again`,
    PRINTING: `Start ${what}`,
    COMPLETED: `Complete ${what}`,
    CANCELLED: `Cancel ${what}`,
    FAILED: `Mark ${what} as failed`,
  })[status];

/** These changes are rare, so they are in a menu. */
const RARE_STATUSES: readonly PrintJobStatus[] = ['CANCELLED', 'FAILED'];

export function StatusButtons({ job }: { job: JobRowFragment }) {
  const group = useRef<HTMLDivElement>(null);
  /** `until` is set if the answer was lost: the message is shown while the job has this status. */
  const [refusal, setRefusal] = useState<{ text: string; until?: PrintJobStatus }>();
  const [outcome, setOutcome] = useState<PrintJobStatus>();
  const isLive = useContext(IsLive);
  const [change] = useMutation(ChangeJobStatusDocument);
  const confirm = useConfirm();
  const mayWrite = useMayWrite();
  const printName = job.printName || 'Unnamed';
  const currentStatus = useRef(job.status);
  currentStatus.current = job.status;
  useEffect(() => {
    // Everything is refetched when the gateway is back, so a rejection may be outdated.
    if (isLive) setRefusal((refusal) => (refusal?.until === undefined ? refusal : undefined));
  }, [isLive]);

  const changeStatus = async (status: PrintJobStatus) => {
    const { isFinal } = JOB_STATUSES[status];
    const question = {
      // The isolate characters keep a name in a right-to-left script from reordering the question.
      title: `${describeAction(status, `“\u2068${printName}\u2069”`)}?`,
      text: 'The job ends. You cannot queue or print it again.',
      action: describeAction(status, 'job'),
      dismiss: 'Keep job',
    };
    if (isFinal && !(await confirm(question))) return;
    setOutcome(undefined);
    setRefusal(undefined);
    // Another caller changed the job while the question was open.
    if (currentStatus.current !== job.status) {
      setRefusal({
        text: `Not changed: the status of the job is now ${JOB_STATUSES[currentStatus.current].name.toLowerCase()}.`,
      });
      return;
    }
    try {
      await change({
        variables: { id: job.id, status },
        // Only the gateway knows the next transitions.
        optimisticResponse: { changePrintJobStatus: { ...job, status, allowedTransitions: [] } },
      });
      setOutcome(status);
    } catch (error) {
      const { message, codes } = toProblem(error);
      setRefusal(codes.length > 0 ? { text: message } : { text: message, until: job.status });
    }
    // The pressed button may have disappeared with the old status, which would lose the focus.
    if (document.activeElement === document.body) group.current?.focus();
  };

  if (!mayWrite) return null;
  const next = job.allowedTransitions.filter((status) => status !== job.status);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div ref={group} className={styles['buttons']} role="group" aria-label={`Status of ${printName}`} tabIndex={-1}>
      {next
        .filter((status) => !RARE_STATUSES.includes(status))
        .map((status) => (
          <Button key={status} aria-label={`${ACTIONS[status]} ${printName}`} onClick={() => void changeStatus(status)}>
            {ACTIONS[status]}
          </Button>
        ))}
      {next.some((status) => RARE_STATUSES.includes(status)) && (
        <Menu
          label={`More actions for ${printName}`}
          items={next
            .filter((status) => RARE_STATUSES.includes(status))
            .map((status) => ({ name: describeAction(status, 'job'), onClick: () => void changeStatus(status) }))}
        />
      )}
      {/* Hidden if another caller has changed the status since. */}
      <Outcome>{outcome === job.status && `Now ${JOB_STATUSES[outcome].name.toLowerCase()}.`}</Outcome>
      {refusal !== undefined && [undefined, job.status].includes(refusal.until) && (
        <Outcome isBad>{refusal.text}</Outcome>
      )}
    </div>
  );
}
