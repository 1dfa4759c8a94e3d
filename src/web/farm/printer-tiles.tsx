// The printers as tiles: what each does, how far it is, from which spool, and who watches it.
import { Link } from 'react-router';
import { cameraAddress } from '../camera/camera-address';
import { LIVENESS } from '../camera/camera-tones';
import { Dot } from '../parts/dot';
import { clockTime, duration } from '../parts/formats';
import { printerAddress } from '../parts/object-addresses';
import { freeGrams } from '../parts/spool-grams';
import { Swatch } from '../parts/swatch';
import { useStateOf } from '../printers/live-states';
import { Progress } from '../printers/printer-now';
import { spoolCount } from '../prints/print-texts';
import { isBusy, jobNow, type Printer } from './printer-job';
import { State, toneOfTile } from './printer-state';
import styles from './printer-tiles.module.css';

interface TilesProps {
  printers: readonly Printer[];
  /** How many prints wait for a person, by the ids of their printers. */
  waiting: ReadonlyMap<string, number>;
}

export function PrinterTiles({ printers, waiting }: TilesProps) {
  return (
    <ul className={styles['tiles']} aria-label="Printers" data-few={printers.length <= FEW}>
      {printers.map((printer) => (
        <Tile key={printer.id} printer={printer} waiting={waiting.get(printer.id) ?? 0} />
      ))}
    </ul>
  );
}

/** They have room for longer names. */
const FEW = 20;

function Tile({ printer, waiting }: { printer: Printer; waiting: number }) {
  const { id, name } = printer;
  const state = useStateOf(id);
  const { job, stale } = jobNow(printer, state);
  const isPrinting = state === null ? job !== undefined : isBusy(state);
  const file = (isPrinting && state?.printName) || job?.printName;
  return (
    <li className={styles['tile']} data-key={id} data-tone={toneOfTile(state, job !== undefined)}>
      <div className={styles['top']}>
        <Link className={styles['name']} to={printerAddress(id)} title={name}>
          {name}
        </Link>
        <Cameras cameras={printer.cameras} />
      </div>
      <div className={styles['row']}>
        <State printer={printer} />
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

/** The spools of the job that is printed, else the loaded ones. */
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
  const rest = Math.min(1, Math.max(0, Number(spool.remainingGrams) / Number(spool.weightTotalGrams)));
  return (
    <div className={styles['spool']}>
      <Swatch color={spool.colorHex} />
      <span className={styles['serial']} title={`${spool.spoolSerial} (${spool.material.name})`}>
        {`${spool.spoolSerial} (${spool.material.name})`}
      </span>
      <span className={styles['left']} data-short={missing > 0}>
        {missing > 0 ? `${wholeGrams(missing)} short` : wholeGrams(Number(spool.remainingGrams))}
      </span>
      {/* The grams say the same. A spool of 0 g has no share. */}
      <i className={styles['rest']} aria-hidden="true">
        <i data-short={missing > 0} style={{ width: `${(Number.isFinite(rest) ? rest : 0) * 100}%` }} />
      </i>
    </div>
  );
}

const MAX_SWATCHES = 6;

/** What is short is never 0. */
const wholeGrams = (grams: number) => `${Math.ceil(grams).toLocaleString()} g`;
