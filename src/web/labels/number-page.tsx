// Opens the spool or product whose number is in the address. The codes of labels contain this address.
import { skipToken, useQuery } from '@apollo/client/react';
import { Link, Navigate, useParams } from 'react-router';
import { ByNumberDocument } from '../../generated/web-operations';
import { Empty, Loaded } from '../parts/loading-states';
import { filamentAddress, spoolAddress } from '../parts/object-addresses';
import { Page } from '../parts/page';

/** The greatest value of the GraphQL type Int. */
const MAX_NUMBER = 2 ** 31 - 1;

export function NumberPage() {
  const { number: text = '' } = useParams();
  const number = /^\d{1,10}$/.test(text) ? Number(text) : undefined;
  const isValid = number !== undefined && number <= MAX_NUMBER;
  const query = useQuery(ByNumberDocument, isValid ? { variables: { number }, fetchPolicy: 'no-cache' } : skipToken);
  if (!isValid) return <NumberNotFound number={text} />;
  return (
    <Loaded query={query} what={`number ${number}`} rows={3}>
      {({ byNumber }) => {
        if (byNumber === null) return <NumberNotFound number={String(number)} />;
        const { __typename, id } = byNumber;
        return <Navigate to={__typename === 'Spool' ? spoolAddress(id) : filamentAddress(id)} replace />;
      }}
    </Loaded>
  );
}

const NumberNotFound = ({ number }: { number: string }) => (
  <Page title={`#${number}`}>
    <Empty>
      <span>{'No spool or product has this number. It was removed, or the label belongs to another farm. '}</span>
      <Link to="/spools">See all spools</Link>
    </Empty>
  </Page>
);
