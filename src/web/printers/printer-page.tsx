// The page of a printer: its current state, its connection, its slots, its jobs of today and its prints.
import { useQuery } from '@apollo/client/react';
import { Link, useParams } from 'react-router';
import { PrinterPageDocument, type PrinterPageQuery, WaitingPrintsDocument } from '../../generated/web-operations';
import { cameraAddress } from '../camera/camera-address';
import { DeviceSection } from '../devices/device';
import { LinkButton } from '../parts/link-button';
import { Empty, Loaded } from '../parts/loading-states';
import { Page, Section } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { DayStrip } from '../prints/day-strip';
import { PrinterPrints } from '../prints/printer-prints';
import { WaitingPrints } from '../prints/waiting-prints';
import { Today } from './ended-today';
import { useLiveStates } from './live-states';
import { PrinterNow } from './printer-now';
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
        about={printer && <CameraLinks printer={printer} />}
        actions={printer && <LinkButton to={`/jobs?printer=${printer.id}`}>Show jobs</LinkButton>}
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

function Details({ printer }: { printer: Printer }) {
  useLiveStates(printer.id);
  return (
    <>
      <Section title="Now">
        {printer.state === null ? (
          <Empty>
            {printer.device === null
              ? 'The state and progress of the printer appear here once it is connected.'
              : 'The printer has sent no data yet.'}
          </Empty>
        ) : (
          <PrinterNow state={printer.state} />
        )}
      </Section>
      <DeviceSection owner={{ type: 'printer', id: printer.id }} device={printer.device} />
      <Slots printer={printer} />
      <Waiting printerId={printer.id} />
      <Today printerId={printer.id} />
      <DayStrip printerId={printer.id} />
      <PrinterPrints printerId={printer.id} />
    </>
  );
}

function Waiting({ printerId }: { printerId: string }) {
  const { data } = useQuery(WaitingPrintsDocument, { variables: { printerId } });
  return data && <WaitingPrints {...data} />;
}
