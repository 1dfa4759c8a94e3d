// Shows a channel (a notification target, in the schema): its state, its test, and its messages.
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
import { describeTargetState, EVENT_LABELS, SEVERITIES, TARGET_KINDS } from './notification-texts';
import styles from './notifications.module.css';
import { SigningSecret, useSigningSecret } from './signing-secret';
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
          <ChannelDetails target={notificationTarget} refetch={() => void target.refetch()} />
        )
      }
    </Loaded>
  );
}

function ChannelDetails({ target, refetch }: { target: Target; refetch: () => void }) {
  const editor = useEditor<Target>();
  const signingSecret = useSigningSecret();
  const { cache } = useApolloClient();
  const navigate = useNavigate();
  const handleRemoved = () => {
    cache.evict({ id: cache.identify(target) as string });
    navigate('/notifications');
  };
  return (
    <Page
      title={target.name}
      about={<span className={styles['url']}>{target.url}</span>}
      actions={
        <>
          <Actions target={target} onSaved={signingSecret.show} />
          <Button onClick={() => editor.open(target)}>Edit channel</Button>
        </>
      }
    >
      <SigningSecret {...signingSecret} />
      {target.message !== null && <p className={styles['message']}>{target.message}</p>}
      <TargetFacts target={target} />
      <TargetTest target={target} onSaved={signingSecret.show} />
      <Deliveries targetId={target.id} isEnabled={target.enabled} onSent={refetch} />
      <TargetEditor editor={editor} onSaved={signingSecret.show} onRemoved={handleRemoved} />
    </Page>
  );
}

function TargetFacts({ target }: { target: Target }) {
  const { kind, stateSince, waiting, hasSecret, certificateFingerprint, events, minimumSeverity, printers } = target;
  const { name, tone } = describeTargetState(target);
  return (
    <Facts
      facts={{
        State: <Badge tone={tone}>{name}</Badge>,
        Since: <Moment at={stateSince} />,
        'Waiting messages': waiting,
        Type: TARGET_KINDS[kind].name,
        [TARGET_KINDS[kind].secret]: hasSecret ? 'Stored' : 'None',
        'Notify about': events.map((event) => EVENT_LABELS[event]).join(', ') || 'States only',
        Alerts: SEVERITIES[minimumSeverity],
        Printers: printers.map((printer) => printer.name).join(', ') || 'All',
        Certificate: certificateFingerprint,
      }}
    />
  );
}

const NEW_SECRET_QUESTION = {
  title: 'Create a new signing secret?',
  text: `The new secret is shown once. The old secret still works for ${FORMER_SECRET_HOURS} hours: give the new one to the receiver in this time.`,
  action: 'Create secret',
};

type ShowSecret = ReturnType<typeof useSigningSecret>['show'];

/** The button that enables or disables the channel, and for a webhook the button for a new secret. Faults of both are shown beside the buttons. */
function Actions({ target: { id, kind, enabled }, onSaved }: { target: Target; onSaved: ShowSecret }) {
  const { save, isBusy, faults } = useSaving();
  const confirm = useConfirm();
  const toggle = async () => {
    const saved = await save(UpdateTargetDocument, { id, input: { enabled: !enabled } });
    if (saved === undefined) return;
    announce(saved.updateNotificationTarget.target.enabled ? 'Channel enabled.' : 'Channel disabled.');
  };
  const createSecret = async () => {
    if (!(await confirm(NEW_SECRET_QUESTION))) return;
    const saved = await save(UpdateTargetDocument, { id, input: { newSecret: true } });
    if (saved) onSaved(saved.updateNotificationTarget);
  };
  const { printerIds, ...otherFaults } = faults;
  return (
    <>
      <Outcome isBad>
        {[...(printerIds === undefined ? [] : [`Printers ${printerIds}`]), ...Object.values(otherFaults)].join(' ')}
      </Outcome>
      <Button isBusy={isBusy} onClick={() => void toggle()}>
        {enabled ? 'Disable channel' : 'Enable channel'}
      </Button>
      {kind === 'WEBHOOK' && (
        <Button isBusy={isBusy} onClick={() => void createSecret()}>
          Create new secret
        </Button>
      )}
    </>
  );
}
