// The farm at a glance: the alerts, the printing jobs, and the latest status of every camera.
import { useQuery } from '@apollo/client/react';
import { AlertsDocument, FarmDocument, FarmPrintersDocument, LivenessDocument } from '../../generated/web-operations';
import { ASKING } from '../camera/camera-state';
import { Page } from '../parts/page';
import { both, Loaded } from '../parts/states';
import { Alerts } from './alerts';
import { Cameras } from './cameras';
import { Printers } from './printers';

export function FarmPage() {
  const farm = useQuery(FarmDocument);
  const printers = useQuery(FarmPrintersDocument, { context: { isWhole: true } });
  const alerts = useQuery(AlertsDocument, ASKING);
  // The cameras of the farm show it by the cache. At first they say it themselves.
  useQuery(LivenessDocument, { ...ASKING, skip: farm.data === undefined, fetchPolicy: 'cache-first' });
  return (
    <Page title="Farm">
      <Loaded query={both(both(farm, printers), alerts)} what="The farm" rows={12}>
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
