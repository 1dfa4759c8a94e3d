// The farm at a glance: what prints, and what every camera says.
import { useQuery } from '@apollo/client/react';
import { FarmDocument } from '../../generated/web-operations';
import { Page } from '../parts/page';
import { Loaded } from '../parts/states';
import { Cameras } from './cameras';
import { Printers } from './printers';

export function FarmPage() {
  const farm = useQuery(FarmDocument);
  return (
    <Page title="Farm">
      <Loaded query={farm} what="The farm" rows={12}>
        {({ printers, cameras }) => (
          <>
            <Printers printers={printers.nodes} total={printers.totalCount} />
            <Cameras cameras={cameras.nodes} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
