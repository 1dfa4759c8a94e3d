// Lists all channels, with their states and the number of waiting messages.
import { useQuery } from '@apollo/client/react';
import { Link, useNavigate } from 'react-router';
import {
  NotificationsDocument,
  type TargetDetailsFragment,
  type TargetRowFragment,
} from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { type Column, DataTable } from '../parts/data-table';
import { useEditor } from '../parts/editor';
import { Empty, Loaded } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { Page } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { useMayConfigureDevices } from '../parts/use-viewer';
import { NotAllowed } from './not-allowed';
import { describeTargetState, TARGET_KINDS, targetAddress } from './notification-texts';
import styles from './notifications.module.css';
import { SigningSecret, useSigningSecret } from './signing-secret';
import { type SavedTarget, TargetEditor } from './target-editor';

const COLUMNS: Column<TargetRowFragment>[] = [
  {
    head: 'Channel',
    width: 'minmax(12rem, 2fr)',
    cell: ({ id, name, kind, url }) => (
      <>
        <Link to={targetAddress(id)}>{name}</Link>
        <span className={styles['cut']}>{`${TARGET_KINDS[kind].name}, ${url}`}</span>
      </>
    ),
  },
  {
    head: 'State',
    width: 'minmax(14rem, 3fr)',
    isFullWidth: true,
    cell: (target) => (
      <>
        <Badge tone={describeTargetState(target).tone}>{describeTargetState(target).name}</Badge>
        {target.message !== null && <span className={styles['quiet']}>{target.message}</span>}
      </>
    ),
  },
  { head: 'Since', width: 'minmax(7rem, 1fr)', cell: ({ stateSince }) => <Moment at={stateSince} /> },
  { head: 'Waiting messages', width: 'minmax(9rem, 0.5fr)', isNumber: true, cell: ({ waiting }) => waiting },
];

const ABOUT =
  'Get a message when a print ends, needs your input, or something goes wrong: on your phone, in Home Assistant, or in a program.';

export function NotificationsPage() {
  const mayConfigure = useMayConfigureDevices();
  const targets = useQuery(NotificationsDocument, { ...POLLING, skip: !mayConfigure });
  const editor = useEditor<TargetDetailsFragment>();
  const signingSecret = useSigningSecret();
  const navigate = useNavigate();
  if (!mayConfigure) return <NotAllowed />;
  const handleAdded = (saved: SavedTarget, isLost: boolean) => {
    signingSecret.show(saved, isLost);
    // The page of the channel has the test message. A secret is shown first, because it is shown only once.
    if (saved.secret === null && !isLost) void navigate(targetAddress(saved.target.id));
    else void targets.refetch();
  };
  return (
    <Page
      title="Notifications"
      about={ABOUT}
      actions={
        <Button kind="main" onClick={() => editor.open()}>
          Add a channel
        </Button>
      }
    >
      <SigningSecret {...signingSecret} />
      <Loaded query={targets} what="the channels">
        {({ notificationTargets }) =>
          notificationTargets.length === 0 ? (
            <Empty action={<Button onClick={() => editor.open()}>Add your first channel</Button>}>
              Your channels appear here: a phone (ntfy), Home Assistant (MQTT), or a program (webhook).
            </Empty>
          ) : (
            <DataTable label="Channels" columns={COLUMNS} rows={notificationTargets} getKey={({ id }) => id} />
          )
        }
      </Loaded>
      <TargetEditor editor={editor} onSaved={handleAdded} />
    </Page>
  );
}
