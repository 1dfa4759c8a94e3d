// Shows the printers as tiles: their state, current print, progress, spool and cameras.
import { Link } from 'react-router';
import { cameraAddress } from '../camera/camera-address';
import { LIVENESS } from '../camera/camera-tones';
import { Dot } from '../parts/dot';
import { clockTime, duration } from '../parts/formats';
import { printerAddress } from '../parts/object-addresses';
import { freeGrams } from '../parts/spool-grams';
import { Swatch } from '../parts/swatch';
import { usePrinterState } from '../printers/live-states';
import { Progress } from '../printers/printer-now';
import { spoolCount } from '../prints/print-texts';
import { findCurrentJob, isBusy, type Printer } from './printer-job';
import { getTileTone, PrinterStateBadge } from './printer-state';
import styles from './printer-tiles.module.css';

interface TilesProps {
  printers: readonly Printer[];
  /** The number of prints that need input, by printer id. */
  waiting: ReadonlyMap<string, number>;
}

export function PrinterTiles({ printers, waiting }: TilesProps) {
  return (
    <ul className={styles['tiles']} aria-label="Printers" data-few={printers.length <= MAX_WIDE_TILES}>
      {printers.map((printer) => (
        <Tile key={printer.id} printer={printer} waiting={waiting.get(printer.id) ?? 0} />
      ))}
    </ul>
  );
}

/** Up to this number, the tiles are larger and have room for longer names. */
const MAX_WIDE_TILES = 20;

function Tile({ printer, waiting }: { printer: Printer; waiting: number }) {
  const { id, name } = printer;
  const state = usePrinterState(id);
  const { job, stale } = findCurrentJob(printer, state);
  const isPrinting = state === null ? job !== undefined : isBusy(state);
  const file = (isPrinting && state?.printName) || job?.printName;
  return (
    <li className={styles['tile']} data-key={id} data-tone={getTileTone(state, job !== undefined)}>
      <div className={styles['top']}>
        <Link className={styles['name']} to={printerAddress(id)} title={name}>
          {name}
        </Link>
        <Cameras cameras={printer.cameras} />
      </div>
      <div className={styles['row']}>
        <PrinterStateBadge printer={printer} />
        {isPrinting && state !== null && state.remainingSec !== null && (
          <span className={styles['end']}>
            {`ends ${clockTime(Date.parse(state.heardAt) + state.remainingSec * 1000)}`}
          </span>
        )}
      </div>
      {file && (
        <span className={styles['file']} title={file}>
          {file}
        </span>
      )}
      {isPrinting && state !== null && (
        <div className={styles['progress']}>
          <Progress state={state} />
          {state.remainingSec !== null && (
            <span className={styles['quiet']}>{`${duration(state.remainingSec)} left`}</span>
          )}
        </div>
      )}
      {stale && (
        <Link className={styles['more']} to={`/jobs/${stale.id}`} title={stale.printName}>
          {`Old job still open: ${stale.printName || 'Unnamed'}`}
        </Link>
      )}
      <Spools printer={printer} job={job} />
      {waiting > 0 && (
        <Link className={styles['more']} to={printerAddress(id)}>
          {waiting === 1 ? '1 print needs your input' : `${waiting} prints need your input`}
        </Link>
      )}
    </li>
  );
}

function Cameras({ cameras }: Pick<Printer, 'cameras'>) {
  return (
    <span className={styles['cameras']}>
      {cameras.map(({ id, friendlyName, liveness }) => (
        <Link
          key={id}
          to={cameraAddress(id)}
          aria-label={`Camera ${friendlyName}: ${LIVENESS[liveness].name}`}
          title={`${friendlyName}: ${LIVENESS[liveness].name}`}
        >
          <Dot tone={LIVENESS[liveness].tone} />
        </Link>
      ))}
    </span>
  );
}

/** The spools of the current job, or else the loaded spools. */
function Spools({ printer, job }: { printer: Printer; job: Printer['jobs']['nodes'][number] | undefined }) {
  const loaded = printer.slots.flatMap(({ spool }) => spool ?? []);
  const count = job ? spoolCount(job) : loaded.length;
  const spool = job ? job.spool : loaded[0];
  if (count > 1) {
    return (
      <div className={styles['spool']}>
        {loaded.slice(0, MAX_SWATCHES).map(({ id, colorHex }) => (
          <Swatch key={id} color={colorHex} />
        ))}
        <span>{`${count} spools`}</span>
      </div>
    );
  }
  if (!spool) return null;
  const missing = job?.spool ? -freeGrams(job.spool) : 0;
  const remainingShare = Math.min(1, Math.max(0, Number(spool.remainingGrams) / Number(spool.weightTotalGrams)));
  return (
    <div className={styles['spool']}>
      <Swatch color={spool.colorHex} />
      <span className={styles['serial']} title={`${spool.spoolSerial} (${spool.material.name})`}>
        {`${spool.spoolSerial} (${spool.material.name})`}
      </span>
      <span className={styles['left']} data-short={missing > 0}>
        {missing > 0 ? `${wholeGrams(missing)} short` : wholeGrams(Number(spool.remainingGrams))}
      </span>
      {/* Hidden from screen readers, because the grams have the same meaning. A spool with a net weight of 0 g has no share. */}
      <i className={styles['remaining']} aria-hidden="true">
        <i
          data-short={missing > 0}
          style={{ width: `${(Number.isFinite(remainingShare) ? remainingShare : 0) * 100}%` }}
        />
      </i>
    </div>
  );
}

const MAX_SWATCHES = 6;

/** Rounds up, so that a small missing amount is never shown as 0 g. */
const wholeGrams = (grams: number) => `${Math.ceil(grams).toLocaleString()} g`;
