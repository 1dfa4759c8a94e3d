// Lists the spools that are and were loaded in each slot of a printer, newest first.
import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { type PrinterSlotsFragment, SlotHistoryDocument } from '../../generated/web-operations';
import { Button } from '../parts/button';
import { exactTime } from '../parts/formats';
import { useFurtherPages } from '../parts/further-pages';
import { Empty, Loaded, ProblemBox } from '../parts/loading-states';
import { FoldedSection } from '../parts/page';
import { slotName } from '../parts/slot-name';
import { SpoolName } from '../prints/spool-name';
import styles from './printers.module.css';

/** A printer may have dozens of slots, so the history of a slot is loaded when the user opens it. */
export function LocationHistory({ printer: { id, slots } }: { printer: PrinterSlotsFragment }) {
  const [shown, setShown] = useState<string>();
  const names = slots.map(({ slot }) => slot);
  const [only] = names.length === 1 ? names : [];
  return (
    <FoldedSection title="Location history" about="which spools were in the slots">
      {only !== undefined && <SlotHistory printerId={id} slot={only} name={slotName(only, names)} />}
      {only === undefined &&
        names.map((slot) => (
          <div key={slot} className={styles['history']}>
            <Button
              kind="quiet"
              aria-expanded={shown === slot}
              onClick={() => setShown(shown === slot ? undefined : slot)}
            >
              {`History of ${slotName(slot, names)}`}
            </Button>
            {shown === slot && <SlotHistory printerId={id} slot={slot} name={slotName(slot, names)} />}
          </div>
        ))}
    </FoldedSection>
  );
}

function SlotHistory({ printerId, slot, name }: { printerId: string; slot: string; name: string }) {
  const context = { isPaged: true };
  const query = useQuery(SlotHistoryDocument, { variables: { id: printerId, slot }, context });
  const { more, retry, problem } = useFurtherPages(query, query.data?.printer?.slotLoads.pageInfo);
  return (
    <div className={styles['history']}>
      <Loaded query={query} what="the history" rows={2}>
        {({ printer }) =>
          printer === null || printer.slotLoads.nodes.length === 0 ? (
            <Empty>No spool has been loaded here yet.</Empty>
          ) : (
            <ol aria-label={`History of ${name}, newest first`}>
              {printer.slotLoads.nodes.map(({ from, to, spool }) => (
                <li key={`${spool.id} ${from}`}>
                  <SpoolName spool={spool} />
                  <LoadedTime from={from} to={to} />
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
      {problem !== undefined && <ProblemBox title="Could not load older spools" error={problem} onRetry={retry} />}
      {more && (
        <Button aria-label={`Show older spools of ${name}`} onClick={more}>
          Show older
        </Button>
      )}
    </div>
  );
}

const LoadedTime = ({ from, to }: { from: string; to: string | null }) => (
  <span>
    <time dateTime={from}>{exactTime(from)}</time>
    <span>{to === null ? ' until now' : ' – '}</span>
    {to !== null && <time dateTime={to}>{exactTime(to)}</time>}
  </span>
);
