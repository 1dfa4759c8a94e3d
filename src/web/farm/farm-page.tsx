// The farm at a glance: the line of alerts, the printers, the prints that wait, cameras without a printer, and what ended today.
import { useQuery } from '@apollo/client/react';
import {
  AlertsDocument,
  FarmDocument,
  FarmPrintersDocument,
  LivenessDocument,
  WaitingPrintsDocument,
} from '../../generated/web-operations';
import { Button } from '../parts/button';
import { both, Loaded } from '../parts/loading-states';
import { Page } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { AddingPrinters, AddPrinter } from '../printers/add-printer';
import { useLiveStates } from '../printers/live-states';
import { WaitingPrints } from '../prints/waiting-prints';
import { Alerts } from './alerts';
import { OtherCameras } from './other-cameras';
import { Busy, Printers, useTable } from './printers';
import { TodayLine } from './today-line';
import { Week } from './week-usage';

export function FarmPage() {
  const farm = useQuery(FarmDocument);
  const printers = useQuery(FarmPrintersDocument, { context: { isWhole: true } });
  const alerts = useQuery(AlertsDocument, POLLING);
  const waiting = useQuery(WaitingPrintsDocument);
  const [isTable, keepTable] = useTable(printers.data?.printers.nodes.length);
  useLiveStates();
  // The cameras of the farm show it by the cache. At first they say it themselves.
  useQuery(LivenessDocument, { ...POLLING, skip: farm.data === undefined, fetchPolicy: 'cache-first' });
  return (
    <AddingPrinters>
      <Page
        title="Farm"
        about={printers.data?.printers.nodes.length ? <Busy printers={printers.data.printers.nodes} /> : undefined}
        actions={
          <>
            <Button kind="quiet" onClick={() => keepTable(!isTable)}>
              {isTable ? 'Tiles' : 'Table'}
            </Button>
            <AddPrinter />
          </>
        }
      >
        <Loaded query={both(both(farm, printers), both(alerts, waiting))} what="the farm" rows={12}>
          {({ alerts, printers, cameras, forSpool, forOutcome }) => (
            <>
              <Alerts alerts={alerts} />
              <Printers printers={printers.nodes} isTable={isTable} forSpool={forSpool} forOutcome={forOutcome} />
              <WaitingPrints forSpool={forSpool} forOutcome={forOutcome} />
              <OtherCameras cameras={cameras.nodes} printers={printers.nodes} />
              <TodayLine />
              <Week />
            </>
          )}
        </Loaded>
      </Page>
    </AddingPrinters>
  );
}
