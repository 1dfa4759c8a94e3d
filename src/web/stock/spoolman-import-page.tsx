// Shows one import from Spoolman by its id: how far it is, the preview with its counts, and the result.
import { useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import {
  SpoolmanImportDocument,
  type SpoolmanImportStateFragment,
  WriteSpoolmanImportDocument,
} from '../../generated/web-operations';
import { Button } from '../parts/button';
import { Facts } from '../parts/facts';
import { Check } from '../parts/form';
import { LinkButton } from '../parts/link-button';
import { Empty, Loaded, Outcome } from '../parts/loading-states';
import { SPOOLMAN_ADDRESS } from '../parts/object-addresses';
import { Page, Section } from '../parts/page';
import { useSaving } from '../parts/saving';
import { useMayWrite } from '../parts/use-viewer';
import styles from './import.module.css';
import { SpoolmanRows } from './spoolman-rows';

type Import = SpoolmanImportStateFragment;

const POLL_MS = 1000;

export function SpoolmanImportPage() {
  const { id = '' } = useParams();
  const query = useQuery(SpoolmanImportDocument, { variables: { id } });
  const { data, startPolling, stopPolling, refetch } = query;
  const state = data?.spoolmanImport?.state;
  const isRunning = state === 'READING' || state === 'WRITING';
  useEffect(() => {
    if (!isRunning) return;
    startPolling(POLL_MS);
    return stopPolling;
  }, [isRunning, startPolling, stopPolling]);
  return (
    <Page title="Import from Spoolman" actions={<LinkButton to={SPOOLMAN_ADDRESS}>Read again</LinkButton>}>
      <Loaded query={query} what="the import" rows={8}>
        {({ spoolmanImport }) =>
          spoolmanImport === null ? (
            <Empty>
              This import does not exist. A preview is kept for 24 hours. To get a new one, read Spoolman again.
            </Empty>
          ) : (
            <Shown shown={spoolmanImport} refetch={() => void refetch()} />
          )
        }
      </Loaded>
    </Page>
  );
}

const count = (number: number, noun: string) => `${number.toLocaleString()} ${number === 1 ? noun : `${noun}s`}`;

function Shown({ shown, refetch }: { shown: Import; refetch: () => void }) {
  const { id, state, message, confirm } = shown;
  return (
    <>
      {/* Screen readers read the state when it changes. */}
      <p role="status">{STATES[state](shown)}</p>
      {state === 'FAILED' && (
        <p className={styles['failed']} role="alert">
          {message}
        </p>
      )}
      {state === 'READING' && <progress aria-label="Reading Spoolman" />}
      {state === 'WRITING' && <progress aria-label="Importing" />}
      {state === 'WRITTEN' && (
        <div className={styles['links']}>
          <LinkButton to="/spools" kind="main">
            Open spools
          </LinkButton>
          <LinkButton to="/filaments">Open products</LinkButton>
        </div>
      )}
      {state !== 'READING' && state !== 'FAILED' && (
        <Section title={state === 'WRITTEN' ? 'Imported' : 'Preview'}>
          <Counts shown={shown} />
          <Notes shown={shown} />
          {state === 'READY' && <Write key={confirm} shown={shown} onRefused={refetch} />}
          {/* A new preview has other rows. */}
          <SpoolmanRows key={`${state} ${confirm}`} id={id} />
        </Section>
      )}
    </>
  );
}

const STATES: Record<Import['state'], (shown: Import) => string> = {
  READING: ({ read }) => `Reading … ${count(read, 'object')} read so far.`,
  READY: ({ read }) => `${count(read, 'object')} read. Nothing is written yet.`,
  WRITING: () => 'Importing … You can leave this page. Either everything is written, or nothing.',
  WRITTEN: ({ creates, updates }) =>
    `Imported: ${creates.toLocaleString()} new and ${updates.toLocaleString()} changed.`,
  FAILED: () => 'The import failed. Nothing was written.',
};

function Counts({ shown }: { shown: Import }) {
  const { creates, updates, same, kept, refused, gone, source } = shown;
  return (
    <Facts
      facts={{
        New: creates.toLocaleString(),
        Changed: updates.toLocaleString(),
        Unchanged: same.toLocaleString(),
        'Kept as here': kept.toLocaleString(),
        Refused: refused.toLocaleString(),
        'No longer in Spoolman': gone.toLocaleString(),
        'Name of this Spoolman': source,
      }}
    />
  );
}

function Notes({ shown: { withoutTare, gone, kept } }: { shown: Import }) {
  return (
    <>
      {withoutTare > 0 && (
        <p className={styles['failed']}>
          {`${count(withoutTare, 'spool')} in use ${withoutTare === 1 ? 'has' : 'have'} no empty spool weight (tare), so a scale cannot weigh ${withoutTare === 1 ? 'it' : 'them'} together with the spool. ` +
            'Enter the weight in Spoolman, at the filament or the manufacturer, and read again. Or enter it here after the import: Products → Edit product.'}
        </p>
      )}
      {gone > 0 && (
        <p
          className={styles['note']}
        >{`${count(gone, 'object')} of an earlier import ${gone === 1 ? 'is' : 'are'} no longer in Spoolman. The farm keeps ${gone === 1 ? 'it' : 'them'}.`}</p>
      )}
      {kept > 0 && <p className={styles['note']}>Kept rows have changed in Spoolman and here. The value here stays.</p>}
    </>
  );
}

function Write({ shown, onRefused }: { shown: Import; onRefused: () => void }) {
  const { id, confirm, creates, updates, refused } = shown;
  const mayWrite = useMayWrite();
  const [withoutRefused, setWithoutRefused] = useState('');
  const { save, isBusy, faults } = useSaving();
  if (!mayWrite) return <p className={styles['note']}>Your key is read-only. Importing needs a key that can write.</p>;
  if (confirm === null)
    return (
      <p className={styles['note']}>
        {refused > 0
          ? 'There is nothing to import besides the refused rows.'
          : 'Everything is imported already. There is nothing to write.'}
      </p>
    );
  const mustChoose = refused > 0 && withoutRefused === '';
  const write = async () => {
    const answer = await save(WriteSpoolmanImportDocument, { id, confirm, withoutRefused: withoutRefused !== '' });
    if (answer === undefined) onRefused();
  };
  return (
    <div className={styles['write']}>
      {refused > 0 && (
        <>
          <p>{`${count(refused, 'row')} ${refused === 1 ? 'is' : 'are'} refused, for the reason in the table. Correct ${refused === 1 ? 'it' : 'them'} in Spoolman and read again, or leave ${refused === 1 ? 'it' : 'them'} out.`}</p>
          <Check
            name="withoutRefused"
            value={withoutRefused}
            onChange={({ target }) => setWithoutRefused(target.value)}
          >
            {`Import without ${refused === 1 ? 'the refused row' : `the ${count(refused, 'refused row')}`}`}
          </Check>
        </>
      )}
      <Button
        kind="main"
        isBusy={isBusy}
        aria-disabled={mustChoose}
        onClick={mustChoose ? undefined : () => void write()}
      >
        {`Import ${count(creates + updates, 'object')}`}
      </Button>
      <Outcome isBad>{Object.values(faults).join(' ')}</Outcome>
    </div>
  );
}
