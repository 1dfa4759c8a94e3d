// The farm page: alerts, printers, prints that need input, cameras without a printer, the jobs of today, and the filament of the week.
import { useQuery } from '@apollo/client/react';
import {
  AlertsDocument,
  FarmDocument,
  FarmPrintersDocument,
  LivenessDocument,
  WaitingPrintsDocument,
} from '../../generated/web-operations';
import { Button } from '../parts/button';
import { combineQueries, Loaded } from '../parts/loading-states';
import { Page } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { AddPrinter, AddPrinterProvider } from '../printers/add-printer';
import { useLiveStates } from '../printers/live-states';
import { WaitingPrints } from '../prints/waiting-prints';
import { Alerts } from './alerts';
import { FarmStatesProvider } from './farm-states';
import { OrderChoice, useOrder } from './order-choice';
import { OtherCameras } from './other-cameras';
import { Printers, PrintingCount, useTableChoice } from './printers';
import { SolveProvider } from './solve';
import { TodayLine } from './today-line';
import { Week } from './week-usage';

export function FarmPage() {
  return (
    <FarmStatesProvider>
      <AddPrinterProvider>
        <SolveProvider>
          <Farm />
        </SolveProvider>
      </AddPrinterProvider>
    </FarmStatesProvider>
  );
}

function Farm() {
  const farm = useQuery(FarmDocument);
  const printers = useQuery(FarmPrintersDocument, { context: { isWhole: true } });
  const alerts = useQuery(AlertsDocument, POLLING);
  const waiting = useQuery(WaitingPrintsDocument);
  const [isTable, storeTableChoice] = useTableChoice(printers.data?.printers.nodes.length);
  const [order, storeOrder] = useOrder();
  useLiveStates();
  // Polls the liveness of cameras into the cache, where the page reads it. The query of the farm brings the first values.
  useQuery(LivenessDocument, { ...POLLING, skip: farm.data === undefined, fetchPolicy: 'cache-first' });
  return (
    <Page
      title="Farm"
      about={
        printers.data?.printers.nodes.length ? <PrintingCount printers={printers.data.printers.nodes} /> : undefined
      }
      actions={
        <>
          <OrderChoice order={order} onChoose={storeOrder} />
          <Button kind="quiet" onClick={() => storeTableChoice(!isTable)}>
            {isTable ? 'Tiles' : 'Table'}
          </Button>
          <AddPrinter />
        </>
      }
    >
      <Loaded
        query={combineQueries(combineQueries(farm, printers), combineQueries(alerts, waiting))}
        what="the farm"
        rows={12}
      >
        {({ alerts, printers, cameras, forSpool, forOutcome }) => (
          <>
            <Alerts alerts={alerts} />
            <Printers
              printers={printers.nodes}
              alerts={alerts}
              isTable={isTable}
              order={order}
              forSpool={forSpool}
              forOutcome={forOutcome}
            />
            <WaitingPrints forSpool={forSpool} forOutcome={forOutcome} />
            <OtherCameras cameras={cameras.nodes} printers={printers.nodes} />
            <TodayLine />
            <Week />
          </>
        )}
      </Loaded>
    </Page>
  );
}
