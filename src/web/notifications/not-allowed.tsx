// The page of targets for who may not configure devices: an address that is written makes the server connect to it.

import { Empty } from '../parts/loading-states';
import { Page } from '../parts/page';

export function NotAllowed() {
  return (
    <Page title="Notifications">
      <Empty>Your key may not configure devices, so it does not see where notifications go.</Empty>
    </Page>
  );
}
