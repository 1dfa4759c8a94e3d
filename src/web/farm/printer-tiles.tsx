// Shows the printers as tiles: their state, current print, progress, spool and cameras.
import { lazy, memo, Suspense } from 'react';
import { Link } from 'react-router';
import { cameraAddress } from '../camera/camera-address';
import { LIVENESS } from '../camera/camera-tones';
import { Dot } from '../parts/dot';
import { clockTime, formatDuration } from '../parts/formats';
import { printerAddress } from '../parts/object-addresses';
import { freeGrams } from '../parts/spool-grams';
import { Swatch } from '../parts/swatch';
import { isBusy } from '../printers/live-states';
import { Progress } from '../printers/printer-now';
import { spoolCount } from '../prints/print-texts';
import { findCurrentJob, type Printer } from './printer-job';
import styles from './printer-tiles.module.css';
import { TileActionButton } from './tile-action';
import { TILE_STATES, TileStateBadge } from './tile-state-badge';
import { useTileState } from './use-tile-state';

/** Loaded after the page, because no picture is needed to use it. */
const TilePicture = lazy(() => import('./tile-picture'));

/** Drawn again only if the printers or their order change. */
export const PrinterTiles = memo(function PrinterTiles({ printers }: { printers: readonly Printer[] }) {
  return (
    <ul className={styles['tiles']} aria-label="Printers" data-few={printers.length <= MAX_WIDE_TILES}>
      {printers.map((printer) => (
        <Tile key={printer.id} printer={printer} />
      ))}
    </ul>
  );
});

/** Up to this number, the tiles are larger and have room for longer names. */
const MAX_WIDE_TILES = 20;

function Tile({ printer }: { printer: Printer }) {
  const { id, name } = printer;
  const { tile, state } = useTileState(printer);
  const { job, stale } = findCurrentJob(printer, state);
  const isPrinting = state === null ? job !== undefined : isBusy(state);
  const file = (isPrinting && state?.printName) || job?.printName;
  return (
    <li className={styles['tile']} data-key={id} data-state={tile.name} data-tone={TILE_STATES[tile.name].tone}>
      <div className={styles['top']}>
        <Link className={styles['name']} to={printerAddress(id)} title={name}>
          {name}
        </Link>
        <Cameras cameras={printer.cameras} />
      </div>
      <div className={styles['row']}>
        <TileStateBadge name={tile.name} />
        {tile.name === 'PRINTING' && state !== null && state.remainingSec !== null && (
          <span className={styles['end']}>
            {`ends ${clockTime(Date.parse(state.heardAt) + state.remainingSec * 1000)}`}
          </span>
        )}
      </div>
      {tile.reason !== null && (
        <span className={styles['reason']} title={tile.reason}>
          {tile.reason}
        </span>
      )}
      {tile.action !== null && <TileActionButton printer={printer} action={tile.action} />}
      {(file || (isPrinting && state !== null)) && (
        <div className={styles['print']}>
          <div>
            {file && (
              <span className={styles['file']} title={file}>
                {file}
              </span>
            )}
            {isPrinting && state !== null && (
              <div className={styles['progress']}>
                <Progress state={state} />
                {state.remainingSec !== null && (
                  <span className={styles['quiet']}>{`${formatDuration(state.remainingSec)} left`}</span>
                )}
              </div>
            )}
          </div>
          {isPrinting && state?.print && (
            <Suspense>
              <TilePicture key={state.print.id} printId={state.print.id} isRunning />
            </Suspense>
          )}
        </div>
      )}
      {stale && (
        <Link className={styles['more']} to={`/jobs/${stale.id}`} title={stale.printName}>
          {`Old job still open: ${stale.printName || 'Unnamed'}`}
        </Link>
      )}
      <Spools printer={printer} job={job} />
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
