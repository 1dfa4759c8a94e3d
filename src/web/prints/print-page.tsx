// The page of a print: its outcome, its filament, and its events as the printer reported them.
import { useQuery } from '@apollo/client/react';
import { Link, useParams } from 'react-router';
import { PrintPageDocument, type PrintPageQuery } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { Facts } from '../parts/facts';
import { exactTime } from '../parts/formats';
import { Empty, Loaded } from '../parts/loading-states';
import { printerAddress } from '../parts/object-addresses';
import { Page, Section } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { slotName } from '../parts/slot-name';
import { Amounts, EventTime } from './print-amounts';
import { WaitReason } from './print-columns';
import { DecisionDialog, Decisions, useDecision } from './print-decisions';
import { OUTCOMES, SIGHTINGS } from './print-texts';
import styles from './prints.module.css';
import { Thumbnail } from './thumbnail';

type Print = NonNullable<PrintPageQuery['observedPrint']>;

export function PrintPage() {
  const { id = '' } = useParams();
  // The gateway sends no change when a print is paused, so the page polls.
  const query = useQuery(PrintPageDocument, { ...POLLING, variables: { id } });
  return (
    <Loaded query={query} what="the print">
      {({ observedPrint }) =>
        observedPrint === null ? (
          <Page title="Print not found">
            <Empty>
              <span>{'This print was removed, or the link is wrong. '}</span>
              <Link to="/">Go to the farm</Link>
            </Empty>
          </Page>
        ) : (
          <PrintDetails print={observedPrint} />
        )
      }
    </Loaded>
  );
}

function PrintDetails({ print }: { print: Print }) {
  const decision = useDecision();
  const { name, tone } = OUTCOMES[print.outcome];
  const spools = print.filament.flatMap(({ slot, spool }) => (spool === null ? [] : [{ slot, ...spool }]));
  return (
    <>
      <p>
        <Link to={printerAddress(print.printer.id)}>{print.printer.name}</Link>
      </p>
      <Page
        title={print.name || 'Unnamed'}
        about={<Badge tone={tone}>{name}</Badge>}
        actions={<Decisions print={print} decision={decision} />}
      >
        <Thumbnail key={print.id} printId={print.id} name={print.name} isRunning={print.outcome === 'RUNNING'} />
        <Facts
          facts={{
            Started: <EventTime at={print.startedAt} isEstimated={print.startedAtEstimated} />,
            Ended: print.outcome !== 'RUNNING' && <EventTime at={print.endedAt} isEstimated={print.endedAtEstimated} />,
            Reason: print.reason,
            Filament: <Amounts print={print} />,
            Spool: spools.length > 0 && (
              <ul>
                {spools.map(({ slot, spoolSerial, material }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a slot whose spool was changed appears twice
                  <li key={index}>
                    {`${
                      spools.length > 1
                        ? `${slotName(
                            slot,
                            print.filament.map(({ slot }) => slot),
                          )}: `
                        : ''
                    }${spoolSerial} (${material.name})`}
                  </li>
                ))}
              </ul>
            ),
            Job: print.job && <Link to={`/jobs/${print.job.id}`}>{print.job.printName || 'Unnamed'}</Link>,
            'Needs your input': print.waitsFor && <WaitReason print={print} />,
            'Not booked since': print.ignoredAt && <EventTime at={print.ignoredAt} isEstimated={false} />,
            File: print.filePath,
            'Job ID on the printer': print.externalId,
          }}
        />
        <DecisionDialog decision={decision} />
        <Section title="Events" about="as the printer reported them">
          {print.sightings.nodes.length === 0 ? (
            <Empty>The printer has reported no events of this print.</Empty>
          ) : (
            <ol className={styles['events']} aria-label="Events, oldest first">
              {print.sightings.nodes.map(({ at, kind, text }) => (
                <li key={`${at} ${kind} ${text}`}>
                  <span>
                    <Badge tone={SIGHTINGS[kind].tone}>{SIGHTINGS[kind].name}</Badge>
                  </span>
                  <p>{text}</p>
                  <time dateTime={at}>{exactTime(at)}</time>
                </li>
              ))}
            </ol>
          )}
        </Section>
      </Page>
    </>
  );
}
