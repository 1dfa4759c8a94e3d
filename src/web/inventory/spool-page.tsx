// One spool: what it is, what is left, its ledger, where it was, and its jobs.
import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { SpoolPageDocument, type SpoolPageQuery, type SpoolRowFragment } from '../../generated/web-operations';
import { ASKING } from '../parts/asking';
import { Badge } from '../parts/badge';
import { Button } from '../parts/button';
import { useEditor } from '../parts/editor';
import { Facts } from '../parts/facts';
import { FormDialog } from '../parts/form';
import { LinkButton } from '../parts/link-button';
import { Moment } from '../parts/moment';
import { useExactMoney } from '../parts/money';
import { decimal, grams } from '../parts/numbers';
import { Page } from '../parts/page';
import { Empty, Loaded } from '../parts/states';
import { Swatch } from '../parts/swatch';
import { useMayWrite } from '../parts/viewer';
import { filamentName } from '../parts/words';
import { LoadForm } from '../printers/load-form';
import { filamentAddress, printerAddress, slotName } from '../prints/print-words';
import styles from './inventory.module.css';
import { LoadIntoForm } from './load-into-form';
import { freeGrams, SpoolBar, SpoolLegend, toGrams } from './spool-bar';
import { SpoolEditor } from './spool-form';
import { SpoolGrams } from './spool-grams';
import { SpoolJobs } from './spool-jobs';
import { SpoolLedger } from './spool-ledger';
import { tareOf } from './spool-ledger-forms';
import { SpoolLoads } from './spool-loads';

type Spool = NonNullable<SpoolPageQuery['spool']>;

export function SpoolPage() {
  const { id = '' } = useParams();
  // No change tells that it was put into another slot.
  const query = useQuery(SpoolPageDocument, { ...ASKING, variables: { id } });
  return (
    <Loaded query={query} what="The spool" rows={12}>
      {({ spool }) =>
        spool === null ? (
          <Page title="Spool">
            <Empty>
              <span>{'There is no spool with this id. '}</span>
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

function Details({ spool }: { spool: Spool }) {
  const money = useExactMoney();
  const mayWrite = useMayWrite();
  const { id, loadedIn, purchasePrice, colorHex } = spool;
  const tare = tareOf(spool);
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
          <LinkButton to={`/jobs?spool=${id}`}>Its jobs</LinkButton>
          {mayWrite && <Actions spool={spool} />}
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
          Left: toGrams(spool.remainingGrams),
          Used: toGrams(spool.usedGrams),
          'Planned by jobs': toGrams(spool.plannedGrams),
          Free: free < 0 ? <Badge tone="bad">{`${toGrams(-free)} short`}</Badge> : toGrams(free),
          'Is in': loadedIn && (
            <>
              <Link to={printerAddress(loadedIn.printer.id)}>{loadedIn.printer.name}</Link>
              <span>{`, ${slotName(loadedIn.slot)}`}</span>
            </>
          ),
          Place: spool.place,
          Filament: spool.filament && (
            <Link to={filamentAddress(spool.filament.id)}>{filamentName(spool.filament)}</Link>
          ),
          Colour: colorHex && (
            <span className={styles['spool']}>
              <Swatch color={colorHex} />
              <span>{colorHex}</span>
            </span>
          ),
          Diameter: `${decimal(spool.filamentDiameterMm)} mm`,
          Density: `${decimal(spool.material.densityGPerCm3)} g/cm³`,
          'When full': grams(spool.weightTotalGrams),
          Tare: tare && grams(tare),
          Price: purchasePrice && money(purchasePrice),
          Added: <Moment at={spool.createdAt} />,
        }}
      />
      <SpoolGrams id={id} />
      <SpoolLedger spool={spool} />
      <SpoolLoads id={id} />
      <SpoolJobs id={id} />
    </Page>
  );
}

function Actions({ spool }: { spool: Spool }) {
  const editor = useEditor<SpoolRowFragment>();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'load' | 'take out'>();
  const close = () => setOpen(undefined);
  const { loadedIn } = spool;
  return (
    <>
      <Button onClick={() => editor.openLike(spool)}>Duplicate</Button>
      <Button onClick={() => editor.open(spool)}>Edit</Button>
      {loadedIn !== null && <Button onClick={() => setOpen('take out')}>Take out …</Button>}
      {spool.archivedAt === null && (
        <Button kind="main" onClick={() => setOpen('load')}>
          Load …
        </Button>
      )}
      <SpoolEditor editor={editor} onRemoved={() => void navigate('/spools')} />
      <FormDialog title={`Load ${spool.spoolSerial}`} isOpen={open === 'load'} onClose={close}>
        <LoadIntoForm spoolId={spool.id} onDone={close} />
      </FormDialog>
      {loadedIn !== null && (
        <FormDialog
          title={`Take ${spool.spoolSerial} out of ${loadedIn.printer.name}`}
          isOpen={open === 'take out'}
          onClose={close}
        >
          <LoadForm printerId={loadedIn.printer.id} slot={loadedIn.slot} takesOut onDone={close} />
        </FormDialog>
      )}
    </>
  );
}
