// A film as a bar over the length of its print, and the legend of its colours. The texts and the table beside it say the same.
import { exactTime } from '../parts/formats';
import type { FilmPiece } from './film-pieces';
import { PIECES } from './film-texts';
import styles from './films.module.css';
import type { Span } from './recorded-share';

export function FilmBar({ pieces, print: { from, to } }: { pieces: readonly FilmPiece[]; print: Span }) {
  const share = (ms: number) => `${(100 * ms) / (to - from || 1)}%`;
  return (
    <div aria-hidden="true">
      <div className={styles['bar']}>
        {pieces.map((piece) => (
          <span
            key={`${piece.kind} ${piece.from}`}
            data-kind={piece.kind}
            title={`${PIECES[piece.kind]}: ${exactOf(piece.from)} – ${exactOf(piece.to)}`}
            style={{ left: share(piece.from - from), width: share(piece.to - piece.from) }}
          />
        ))}
      </div>
      <div className={styles['times']}>
        <span>{exactOf(from)}</span>
        <span>{exactOf(to)}</span>
      </div>
    </div>
  );
}

const exactOf = (at: number) => exactTime(new Date(at).toISOString());

export function FilmLegend({ kinds }: { kinds: ReadonlySet<string> }) {
  return (
    <p className={styles['legend']}>
      {Object.entries(PIECES)
        .filter(([kind]) => kinds.has(kind))
        .map(([kind, words]) => (
          <span key={kind}>
            <i data-kind={kind} />
            <span>{words}</span>
          </span>
        ))}
    </p>
  );
}
