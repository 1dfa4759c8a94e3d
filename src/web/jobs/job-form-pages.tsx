// The pages that add and edit a job.
import { useQuery } from '@apollo/client/react';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { JobDocument } from '../../generated/web-operations';
import { combineQueries, Empty, Loaded } from '../parts/loading-states';
import { usePrinters, useSpools } from '../parts/object-choices';
import { Page } from '../parts/page';
import { useMayWrite } from '../parts/use-viewer';
import { JobForm } from './job-form';
import { JobNotFound } from './job-not-found';

export function FormPage({ title, children }: { title: string; children: ReactNode }) {
  const mayWrite = useMayWrite();
  return (
    <Page title={title}>
      {mayWrite ? children : <Empty>Your key is read-only. Changing jobs needs a key that can write.</Empty>}
    </Page>
  );
}

export function NewJobPage() {
  const choices = combineQueries(usePrinters(), useSpools());
  return (
    <FormPage title="Add a job">
      <Loaded query={choices} what="the farm">
        {(data) => <JobForm choices={data} />}
      </Loaded>
    </FormPage>
  );
}

export function EditJobPage() {
  const { id = '' } = useParams();
  const choices = combineQueries(usePrinters(), useSpools());
  const job = useQuery(JobDocument, { variables: { id } });
  return (
    <Loaded query={job} what="the job">
      {({ printJob }) =>
        printJob === null ? (
          <JobNotFound />
        ) : (
          <FormPage title={`Edit ${printJob.printName || 'Unnamed'}`}>
            <Loaded query={choices} what="the farm">
              {(data) => <JobForm key={id} job={printJob} choices={data} />}
            </Loaded>
          </FormPage>
        )
      }
    </Loaded>
  );
}
