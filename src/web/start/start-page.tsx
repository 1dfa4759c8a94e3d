// How to begin: the parts that the farm has already, and the commands that add the missing ones.
import { useQuery } from '@apollo/client/react';
import { StartDocument } from '../../generated/web-operations';
import { Page } from '../parts/page';
import { Loaded } from '../parts/states';
import { Steps } from './steps';

export function StartPage() {
  const start = useQuery(StartDocument);
  return (
    <Page title="Start" about="Add the first printer, spool and camera. Each step is marked as soon as it is done.">
      <Loaded query={start} what="The farm">
        {(found) => <Steps found={found} />}
      </Loaded>
    </Page>
  );
}
