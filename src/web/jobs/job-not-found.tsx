// The page for the address of a job that does not exist.
import { Link } from 'react-router';
import { Empty } from '../parts/loading-states';
import { Page } from '../parts/page';

export function JobNotFound() {
  return (
    <Page title="Job not found">
      <Empty>
        <span>{'This job was removed, or the link is wrong. '}</span>
        <Link to="/jobs">See all jobs</Link>
      </Empty>
    </Page>
  );
}
