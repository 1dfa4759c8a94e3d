// Where notifications go: all targets, with what waits and why.
import { useQuery } from '@apollo/client/react';
import { Link } from 'react-router';
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
import { TARGET_KINDS, targetAddress, targetStateOf } from './notification-texts';
import styles from './notifications.module.css';
import { ShownOnce, useShownOnce } from './signing-secret';
import { TargetEditor, type Written } from './target-editor';

const COLUMNS: Column<TargetRowFragment>[] = [
  {
    head: 'Target',
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
    isLine: true,
    cell: (target) => (
      <>
        <Badge tone={targetStateOf(target).tone}>{targetStateOf(target).name}</Badge>
        {target.message !== null && <span className={styles['quiet']}>{target.message}</span>}
      </>
    ),
  },
  { head: 'Since', width: 'minmax(7rem, 1fr)', cell: ({ stateSince }) => <Moment at={stateSince} /> },
  { head: 'Waiting', width: 'minmax(5rem, 0.5fr)', isNumber: true, cell: ({ waiting }) => waiting },
];

const ABOUT =
  'The gateway notifies these of what happens: the print that ended, the spool that waits, the camera that is gone.';

export function NotificationsPage() {
  const mayConfigure = useMayConfigureDevices();
  const targets = useQuery(NotificationsDocument, { ...POLLING, skip: !mayConfigure });
  const editor = useEditor<TargetDetailsFragment>();
  const once = useShownOnce();
  if (!mayConfigure) return <NotAllowed />;
  const added = (written: Written, isLost: boolean) => {
    once.show(written, isLost);
    void targets.refetch();
  };
  return (
    <Page
      title="Notifications"
      about={ABOUT}
      actions={
        <Button kind="main" onClick={() => editor.open()}>
          Add a target
        </Button>
      }
    >
      <ShownOnce {...once} />
      <Loaded query={targets} what="The targets">
        {({ notificationTargets }) =>
          notificationTargets.length === 0 ? (
            <Empty>
              There is no target yet. Add a phone by ntfy, a program by a webhook, or Home Assistant by MQTT.
            </Empty>
          ) : (
            <DataTable label="Targets" columns={COLUMNS} rows={notificationTargets} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      <TargetEditor editor={editor} onWritten={added} />
    </Page>
  );
}
