// The farm at a glance: the alerts, the prints that wait, the printers, the latest status of every camera, and what ended today.
import { useQuery } from '@apollo/client/react';
import {
  AlertsDocument,
  FarmDocument,
  FarmPrintersDocument,
  LivenessDocument,
  WaitingPrintsDocument,
} from '../../generated/web-operations';
import { ASKING } from '../parts/asking';
import { Page } from '../parts/page';
import { both, Loaded } from '../parts/states';
import { useLiveStates } from '../printers/live-states';
import { Today } from '../printers/today';
import { WaitingPrints } from '../prints/waiting-prints';
import { Alerts } from './alerts';
import { Cameras } from './cameras';
import { Printers } from './printers';

export function FarmPage() {
  const farm = useQuery(FarmDocument);
  const printers = useQuery(FarmPrintersDocument, { context: { isWhole: true } });
  const alerts = useQuery(AlertsDocument, ASKING);
  const waiting = useQuery(WaitingPrintsDocument);
  useLiveStates();
  // The cameras of the farm show it by the cache. At first they say it themselves.
  useQuery(LivenessDocument, { ...ASKING, skip: farm.data === undefined, fetchPolicy: 'cache-first' });
  return (
    <Page title="Farm">
      <Loaded query={both(both(farm, printers), both(alerts, waiting))} what="The farm" rows={12}>
        {({ alerts, printers, cameras, forSpool, forOutcome }) => (
          <>
            <Alerts alerts={alerts} />
            <WaitingPrints forSpool={forSpool} forOutcome={forOutcome} />
            <Printers printers={printers.nodes} />
            <Cameras cameras={cameras.nodes} />
            <Today />
          </>
        )}
      </Loaded>
    </Page>
  );
}
