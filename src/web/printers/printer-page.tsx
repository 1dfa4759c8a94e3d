// The page of a printer: what it does now, its slots, what waits for the user, its queue and its prints. What is rarely read is folded.
import { useQuery } from '@apollo/client/react';
import { Link, useNavigate, useParams } from 'react-router';
import { PrinterPageDocument, type PrinterPageQuery, WaitingPrintsDocument } from '../../generated/web-operations';
import { cameraAddress } from '../camera/camera-address';
import { DeviceSection } from '../devices/device';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { useEditor } from '../parts/editor';
import { LinkButton } from '../parts/link-button';
import { Empty, Loaded } from '../parts/loading-states';
import { Page } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { useMayWrite } from '../parts/use-viewer';
import { DayStrip } from '../prints/day-strip';
import { PrinterPrints } from '../prints/printer-prints';
import { WaitingPrints } from '../prints/waiting-prints';
import { Cockpit } from './cockpit';
import { Today } from './ended-today';
import { isBusy, useLiveStates } from './live-states';
import { type Printer as EditedPrinter, PrinterEditor } from './printer-editor';
import { PrinterQueue } from './printer-queue';
import { LocationHistory } from './slot-history';
import { Slots } from './slots';

type Printer = NonNullable<PrinterPageQuery['printer']>;

export function PrinterPage() {
  const { id = '' } = useParams();
  const query = useQuery(PrinterPageDocument, { ...POLLING, variables: { id } });
  const printer = query.data?.printer;
  return (
    <>
      <p>
        <Link to="/printers">All printers</Link>
      </p>
      <Page
        title={printer?.name ?? (query.data ? 'Printer not found' : 'Printer')}
        about={printer && <About printer={printer} />}
        actions={printer && <Actions printer={printer} />}
      >
        <Loaded query={query} what="the printer" rows={12}>
          {({ printer }) =>
            printer === null ? (
              <Empty>
                <span>{'This printer was removed, or the link is wrong. '}</span>
                <Link to="/printers">See all printers</Link>
              </Empty>
            ) : (
              <Details printer={printer} />
            )
          }
        </Loaded>
      </Page>
    </>
  );
}

function About({ printer }: { printer: Printer }) {
  return (
    <>
      {printer.archivedAt !== null && <Badge tone="muted">Archived</Badge>}
      <CameraLinks printer={printer} />
    </>
  );
}

function CameraLinks({ printer: { cameras } }: { printer: Printer }) {
  if (cameras.length === 0) return <span>No cameras</span>;
  return (
    <>
      <span>{'Cameras: '}</span>
      {cameras.map(({ id, friendlyName }, index) => (
        <span key={id}>
          {index > 0 && <span>, </span>}
          <Link to={cameraAddress(id)}>{friendlyName}</Link>
        </span>
      ))}
    </>
  );
}

function Actions({ printer }: { printer: Printer }) {
  const editor = useEditor<EditedPrinter>();
  const navigate = useNavigate();
  return (
    <>
      {useMayWrite() && <Button onClick={() => editor.open(printer)}>Edit printer</Button>}
      <LinkButton to={`/jobs?printer=${printer.id}`}>Show jobs</LinkButton>
      <PrinterEditor editor={editor} onRemoved={() => void navigate('/printers')} />
    </>
  );
}

function Details({ printer }: { printer: Printer }) {
  useLiveStates(printer.id);
  const { id, state, device } = printer;
  return (
    <>
      <Cockpit printer={printer} />
      <Slots printer={printer} message={device?.followsSpools ? (device.spoolman?.message ?? null) : null} />
      <Waiting printerId={id} />
      <PrinterQueue
        printerId={id}
        isConnected={device?.enabled === true}
        isPrinting={state !== null && isBusy(state)}
      />
      <Today printerId={id} />
      <DayStrip printerId={id} />
      <PrinterPrints printerId={id} />
      <DeviceSection owner={{ type: 'printer', id }} device={device} isFolded />
      <LocationHistory printer={printer} />
    </>
  );
}

function Waiting({ printerId }: { printerId: string }) {
  const { data } = useQuery(WaitingPrintsDocument, { variables: { printerId } });
  return data && <WaitingPrints {...data} />;
}
