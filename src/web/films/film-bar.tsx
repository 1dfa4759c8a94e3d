// Shows a recording as a bar over the length of its print, and the legend of the bar's colours. The texts and the table beside the bar have the same facts.
import { exactTime } from '../parts/formats';
import type { BarSection } from './bar-sections';
import { SECTION_NAMES } from './film-texts';
import styles from './films.module.css';
import type { Span } from './recorded-share';

export function FilmBar({ sections, print: { from, to } }: { sections: readonly BarSection[]; print: Span }) {
  const toPercent = (durationMs: number) => `${(100 * durationMs) / (to - from || 1)}%`;
  return (
    <div aria-hidden="true">
      <div className={styles['bar']}>
        {sections.map((section) => (
          <span
            key={`${section.kind} ${section.from}`}
            data-kind={section.kind}
            title={`${SECTION_NAMES[section.kind]}: ${formatTime(section.from)} – ${formatTime(section.to)}`}
            style={{ left: toPercent(section.from - from), width: toPercent(section.to - section.from) }}
          />
        ))}
      </div>
      <div className={styles['times']}>
        <span>{formatTime(from)}</span>
        <span>{formatTime(to)}</span>
      </div>
    </div>
  );
}

const formatTime = (at: number) => exactTime(new Date(at).toISOString());

export function FilmLegend({ kinds }: { kinds: ReadonlySet<string> }) {
  return (
    <p className={styles['legend']}>
      {Object.entries(SECTION_NAMES)
        .filter(([kind]) => kinds.has(kind))
        .map(([kind, name]) => (
          <span key={kind}>
            <i data-kind={kind} />
            <span>{name}</span>
          </span>
        ))}
    </p>
  );
}
