// Shows one spool: its properties, its remaining filament, its adjustments, its location history, and its jobs.
import { useQuery } from '@apollo/client/react';
import { Link, useParams } from 'react-router';
import { SpoolPageDocument } from '../../generated/web-operations';
import { Badge } from '../parts/badge';
import { Facts } from '../parts/facts';
import { filamentName } from '../parts/formats';
import { LinkButton } from '../parts/link-button';
import { Empty, Loaded } from '../parts/loading-states';
import { Moment } from '../parts/moment';
import { useExactMoney } from '../parts/money';
import { formatDecimal, formatGrams } from '../parts/numbers';
import { filamentAddress, printerAddress } from '../parts/object-addresses';
import { Page } from '../parts/page';
import { POLLING } from '../parts/poll-interval';
import { slotName } from '../parts/slot-name';
import { formatSpoolGrams, freeGrams } from '../parts/spool-grams';
import { Swatch } from '../parts/swatch';
import { useMayWrite } from '../parts/use-viewer';
import { extraFacts, formatExternalIds } from './extra-facts';
import styles from './inventory.module.css';
import { ReportedUses } from './reported-uses';
import { SpoolActions } from './spool-actions';
import { SpoolBar, SpoolLegend } from './spool-bar';
import { SpoolGramsPlot } from './spool-grams-plot';
import { SpoolJobs } from './spool-jobs';
import { SpoolLedger } from './spool-ledger';
import { findTare, type PageSpool } from './spool-ledger-forms';
import { SpoolLoads } from './spool-loads';
import { SpoolTags } from './spool-tags';

export function SpoolPage() {
  const { id = '' } = useParams();
  // The change feed does not report that a spool was loaded into another slot, so the page asks again regularly.
  const query = useQuery(SpoolPageDocument, { ...POLLING, variables: { id } });
  return (
    <Loaded query={query} what="the spool" rows={12}>
      {({ spool }) =>
        spool === null ? (
          <Page title="Spool not found">
            <Empty>
              <span>{'This spool was removed, or the link is wrong. '}</span>
              <Link to="/spools">See all spools</Link>
            </Empty>
          </Page>
        ) : (
          <Details key={id} spool={spool} />
        )
      }
    </Loaded>
  );
}

function Details({ spool }: { spool: PageSpool }) {
  const money = useExactMoney();
  const mayWrite = useMayWrite();
  const { id, loadedIn, purchasePrice, colorHex } = spool;
  const colorHexes = spool.filament?.colorHexes ?? [];
  const tare = findTare(spool);
  const free = freeGrams(spool);
  return (
    <Page
      title={spool.spoolSerial}
      about={
        <>
          <span>{`${[spool.material.name, spool.vendor].filter(Boolean).join(', ')} `}</span>
          {spool.archivedAt !== null && <Badge tone="muted">Archived</Badge>}
        </>
      }
      actions={
        <>
          {mayWrite && <SpoolActions spool={spool} />}
          <LinkButton to={`/labels?spools=${spool.number}`}>Print label</LinkButton>
          <LinkButton to={`/jobs?spool=${id}`}>Show jobs</LinkButton>
        </>
      }
    >
      <div className={styles['whole']}>
        <SpoolBar spool={spool} />
      </div>
      <SpoolLegend />
      <Facts
        facts={{
          Number: `#${spool.number}`,
          Remaining: formatSpoolGrams(spool.remainingGrams),
          Used: formatSpoolGrams(spool.usedGrams),
          'Reported by other programs': Number(spool.reportedGrams) !== 0 && formatSpoolGrams(spool.reportedGrams),
          'Allocated to jobs': formatSpoolGrams(spool.plannedGrams),
          Free: free < 0 ? <Badge tone="bad">{`${formatSpoolGrams(-free)} short`}</Badge> : formatSpoolGrams(free),
          'Loaded in': loadedIn && (
            <>
              <Link to={printerAddress(loadedIn.printer.id)}>{loadedIn.printer.name}</Link>
              <span>{`, ${slotName(loadedIn.slot)}`}</span>
            </>
          ),
          'Stored at': spool.place,
          Product: spool.filament && (
            <Link to={filamentAddress(spool.filament.id)}>{filamentName(spool.filament)}</Link>
          ),
          Colour: colorHex && (
            <span className={styles['spool']}>
              <Swatch color={colorHex} colors={colorHexes} />
              <span>{colorHexes.length > 1 ? colorHexes.join(', ') : colorHex}</span>
            </span>
          ),
          Diameter: `${formatDecimal(spool.filamentDiameterMm)} mm`,
          Density: `${formatDecimal(spool.material.densityGPerCm3)} g/cm³`,
          'Net weight': formatGrams(spool.weightTotalGrams),
          'Empty spool weight (tare)': tare && formatGrams(tare),
          Price: purchasePrice && money(purchasePrice),
          'Lot number': spool.lotNumber,
          Comment: spool.comment,
          ...extraFacts(spool.extra),
          'Imported from': formatExternalIds(spool.externalIds),
          Added: <Moment at={spool.createdAt} />,
        }}
      />
      <SpoolGramsPlot id={id} />
      <SpoolLedger spool={spool} />
      <SpoolTags spool={spool} />
      <SpoolLoads id={id} />
      <SpoolJobs id={id} />
      <ReportedUses spool={spool} />
    </Page>
  );
}
