// The page of first steps: it marks the steps that are done and shows how to do the others.
import { useQuery } from '@apollo/client/react';
import { StartDocument, TargetsInUseDocument } from '../../generated/web-operations';
import { Loaded } from '../parts/loading-states';
import { Page } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { useMayConfigureDevices } from '../parts/use-viewer';
import { Steps } from './steps';

export function StartPage() {
  const start = useQuery(StartDocument);
  const targets = useQuery(TargetsInUseDocument, { ...POLLING, skip: !useMayConfigureDevices() });
  const hasTarget = targets.data?.notificationTargets.some(({ enabled }) => enabled) ?? false;
  return (
    <Page title="First steps" about="Set up your farm step by step. Each step is marked when it is done.">
      <Loaded query={start} what="the first steps">
        {(data) => <Steps start={data} hasTarget={hasTarget} />}
      </Loaded>
    </Page>
  );
}
