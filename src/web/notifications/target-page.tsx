// The page of a channel (a notification target, in the schema): its state, its test, and its messages.
import { useApolloClient, useQuery } from '@apollo/client/react';
import { Link, useNavigate, useParams } from 'react-router';
import {
  NotificationPageDocument,
  type TargetDetailsFragment,
  UpdateTargetDocument,
} from '../../generated/web-operations';
import { FORMER_SECRET_HOURS } from '../../notifications/target.limits';
import { announce } from '../parts/announcer';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { useConfirm } from '../parts/confirm';
import { useEditor } from '../parts/editor';
import { Facts } from '../parts/facts';
import { Empty, Loaded, Outcome } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { Page } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { useSaving } from '../parts/saving';
import { useMayConfigureDevices } from '../parts/use-viewer';
import { NotAllowed } from './not-allowed';
import { HAPPENED, SEVERITIES, TARGET_KINDS, targetStateOf } from './notification-texts';
import styles from './notifications.module.css';
import { ShownOnce, useShownOnce } from './signing-secret';
import { Deliveries } from './target-deliveries';
import { TargetEditor } from './target-editor';
import { TargetTest } from './target-test';

type Target = TargetDetailsFragment;

export function TargetPage() {
  const { id = '' } = useParams();
  const mayConfigure = useMayConfigureDevices();
  const target = useQuery(NotificationPageDocument, { ...POLLING, variables: { id }, skip: !mayConfigure });
  if (!mayConfigure) return <NotAllowed />;
  return (
    <Loaded query={target} what="the channel">
      {({ notificationTarget }) =>
        notificationTarget === null ? (
          <Page title="Channel not found">
            <Empty>
              <span>{'This channel was removed, or the link is wrong. '}</span>
              <Link to="/notifications">See all channels</Link>
            </Empty>
          </Page>
        ) : (
          <Found target={notificationTarget} readAgain={() => void target.refetch()} />
        )
      }
    </Loaded>
  );
}

function Found({ target, readAgain }: { target: Target; readAgain: () => void }) {
  const editor = useEditor<Target>();
  const once = useShownOnce();
  const { cache } = useApolloClient();
  const navigate = useNavigate();
  const removed = () => {
    cache.evict({ id: cache.identify(target) as string });
    navigate('/notifications');
  };
  return (
    <Page
      title={target.name}
      about={<span className={styles['url']}>{target.url}</span>}
      actions={
        <>
          <Actions target={target} onWritten={once.show} />
          <Button onClick={() => editor.open(target)}>Edit channel</Button>
        </>
      }
    >
      <ShownOnce {...once} />
      {target.message !== null && <p className={styles['message']}>{target.message}</p>}
      <TargetFacts target={target} />
      <TargetTest target={target} onWritten={once.show} />
      <Deliveries targetId={target.id} isEnabled={target.enabled} onSent={readAgain} />
      <TargetEditor editor={editor} onWritten={once.show} onRemoved={removed} />
    </Page>
  );
}

function TargetFacts({ target }: { target: Target }) {
  const { kind, stateSince, waiting, hasSecret, certificateFingerprint, events, minimumSeverity, printers } = target;
  const { name, tone } = targetStateOf(target);
  return (
    <Facts
      facts={{
        State: <Badge tone={tone}>{name}</Badge>,
        Since: <Moment at={stateSince} />,
        'Waiting messages': waiting,
        Type: TARGET_KINDS[kind].name,
        [TARGET_KINDS[kind].secret]: hasSecret ? 'Stored' : 'None',
        'Notify about': events.map((event) => HAPPENED[event]).join(', ') || 'States only',
        Alerts: SEVERITIES[minimumSeverity],
        Printers: printers.map((printer) => printer.name).join(', ') || 'All',
        Certificate: certificateFingerprint,
      }}
    />
  );
}

const QUESTION = {
  title: 'Create a new signing secret?',
  text: `The new secret is shown once. The old secret still works for ${FORMER_SECRET_HOURS} hours: give the new one to the receiver in this time.`,
  action: 'Create secret',
};

type Show = ReturnType<typeof useShownOnce>['show'];

/** Its switch, and for a webhook a new secret: each is a change whose faults are shown beside them. */
function Actions({ target: { id, kind, enabled }, onWritten }: { target: Target; onWritten: Show }) {
  const { save, isBusy, faults } = useSaving();
  const confirm = useConfirm();
  const toggle = async () => {
    const saved = await save(UpdateTargetDocument, { id, input: { enabled: !enabled } });
    if (saved === undefined) return;
    announce(saved.updateNotificationTarget.target.enabled ? 'Channel enabled.' : 'Channel disabled.');
  };
  const make = async () => {
    if (!(await confirm(QUESTION))) return;
    const saved = await save(UpdateTargetDocument, { id, input: { newSecret: true } });
    if (saved) onWritten(saved.updateNotificationTarget);
  };
  const { printerIds, ...others } = faults;
  return (
    <>
      <Outcome isBad>
        {[...(printerIds === undefined ? [] : [`Printers ${printerIds}`]), ...Object.values(others)].join(' ')}
      </Outcome>
      <Button isBusy={isBusy} onClick={() => void toggle()}>
        {enabled ? 'Disable channel' : 'Enable channel'}
      </Button>
      {kind === 'WEBHOOK' && (
        <Button isBusy={isBusy} onClick={() => void make()}>
          Create new secret
        </Button>
      )}
    </>
  );
}
