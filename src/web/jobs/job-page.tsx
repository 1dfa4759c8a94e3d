// One job: its data, how its grams and cost come about, and the statuses that it has had.
import { useQuery } from '@apollo/client/react';
import { Link, useParams } from 'react-router';
import { JobDocument } from '../../generated/web-operations';
import { Loaded } from '../parts/loading-states';
import { JobDetails } from './job-details';
import { NoJob } from './no-job';

export function JobPage() {
  const { id = '' } = useParams();
  return <JobOf key={id} id={id} />;
}

function JobOf({ id }: { id: string }) {
  const job = useQuery(JobDocument, { variables: { id } });
  return (
    <>
      <p>
        <Link to="/jobs">All jobs</Link>
      </p>
      <Loaded query={job} what="The job">
        {({ printJob }) => (printJob === null ? <NoJob /> : <JobDetails job={printJob} />)}
      </Loaded>
    </>
  );
}
