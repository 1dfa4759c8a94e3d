// The farm at a glance: what needs attention, what prints, and what every camera says.
import { useQuery } from '@apollo/client/react';
import { AlertsDocument, FarmDocument, FarmPrintersDocument } from '../../generated/web-operations';
import { Page } from '../parts/page';
import { both, Loaded } from '../parts/states';
import { Alerts } from './alerts';
import { Cameras } from './cameras';
import { Printers } from './printers';

/** How soon a camera that has grown silent is shown as such. */
const ASK_MS = 10_000;

export function FarmPage() {
  const farm = useQuery(FarmDocument);
  const printers = useQuery(FarmPrintersDocument, { context: { isWhole: true } });
  useQuery(AlertsDocument, {
    skip: farm.data === undefined,
    pollInterval: ASK_MS,
    skipPollAttempt: () => document.hidden,
    fetchPolicy: 'cache-first',
  });
  return (
    <Page title="Farm">
      <Loaded query={both(farm, printers)} what="The farm" rows={12}>
        {({ alerts, printers, cameras }) => (
          <>
            <Alerts alerts={alerts} />
            <Printers printers={printers.nodes} />
            <Cameras cameras={cameras.nodes} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
