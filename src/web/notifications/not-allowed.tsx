// The page of channels for callers without the right to configure devices: a stored address makes the server connect to it.

import { Empty } from '../parts/loading-states';
import { Page } from '../parts/page';

export function NotAllowed() {
  return (
    <Page title="Notifications">
      <Empty>Your key cannot see or change notification channels. That needs a key with the right “devices”.</Empty>
    </Page>
  );
}
