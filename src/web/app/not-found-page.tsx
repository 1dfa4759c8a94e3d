// The page for an address without a page.
import { Link } from 'react-router';
import { Empty } from '../parts/loading-states';
import { Page } from '../parts/page';

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <Empty>
        <span>{'Nothing is at this address. Check the link. '}</span>
        <Link to="/">Go to the farm</Link>
      </Empty>
    </Page>
  );
}
