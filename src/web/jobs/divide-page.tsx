// The page on which a user splits a job between spools.
import { useQuery } from '@apollo/client/react';
import { useParams } from 'react-router';
import { JobToDivideDocument } from '../../generated/web-operations';
import { Empty, Loaded } from '../parts/loading-states';
import { useSpools } from '../parts/object-choices';
import { DivideForm } from './divide-form';
import { FormPage } from './job-form-pages';
import { JobNotFound } from './job-not-found';

export function DividePage() {
  const { id = '' } = useParams();
  const spools = useSpools();
  const job = useQuery(JobToDivideDocument, { variables: { id } });
  return (
    <Loaded query={job} what="the job">
      {({ printJob }) =>
        printJob === null ? (
          <JobNotFound />
        ) : (
          <FormPage title={`Split ${printJob.printName || 'Unnamed'}`}>
            {Number(printJob.mmExtruded) + Number(printJob.gramsDerived) === 0 ? (
              <Empty>
                There is nothing to split yet: the filament of this job is unknown. Edit the job and enter it first.
              </Empty>
            ) : (
              <Loaded query={spools} what="the spools">
                {({ spools: { nodes } }) => <DivideForm key={id} job={printJob} spools={nodes} />}
              </Loaded>
            )}
          </FormPage>
        )
      }
    </Loaded>
  );
}
