// Explains that channels need a key with the right to configure devices: the gateway connects to any address that a channel stores.

import { Empty } from '../parts/loading-states';
import { Page } from '../parts/page';

export function NotAllowed() {
  return (
    <Page title="Notifications">
      <Empty>Your key cannot see or change notification channels. That needs a key with the right “devices”.</Empty>
    </Page>
  );
}
