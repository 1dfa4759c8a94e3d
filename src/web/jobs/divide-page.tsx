// The page on which a person says what a job used of each spool.
import { useQuery } from '@apollo/client/react';
import { useParams } from 'react-router';
import { JobToDivideDocument } from '../../generated/web-operations';
import { Empty, Loaded } from '../parts/loading-states';
import { useSpools } from '../parts/object-choices';
import { DivideForm } from './divide-form';
import { FormPage } from './job-form-pages';
import { NoJob } from './no-job';

export function DividePage() {
  const { id = '' } = useParams();
  const spools = useSpools();
  const job = useQuery(JobToDivideDocument, { variables: { id } });
  return (
    <Loaded query={job} what="The job">
      {({ printJob }) =>
        printJob === null ? (
          <NoJob />
        ) : (
          <FormPage title={`Divide ${printJob.printName || 'Unnamed'}`}>
            {Number(printJob.mmExtruded) + Number(printJob.gramsDerived) === 0 ? (
              <Empty>
                The amounts of this job are not known yet, so there is nothing to divide. Edit the job first.
              </Empty>
            ) : (
              <Loaded query={spools} what="The spools">
                {({ spools: { nodes } }) => <DivideForm key={id} job={printJob} spools={nodes} />}
              </Loaded>
            )}
          </FormPage>
        )
      }
    </Loaded>
  );
}
