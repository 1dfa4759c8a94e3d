// Makes elements, and updates a list of elements without touching unchanged ones.

type Attributes = Record<string, string | number | boolean | undefined>;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element #${id}.`);
  return found as Kind;
}

/**
 * A list that redraws an element only when its row changed: a poll must not move the focus or clear a text selection.
 * When a focused element is redrawn, the focus goes to its first button, or else to the element.
 */
export function keptList<Row extends { id: string }>(parent: HTMLElement, draw: (row: Row) => HTMLElement) {
  let shown = new Map<string, { drawnFrom: string; made: HTMLElement }>();
  return (rows: readonly Row[]) => {
    const next = new Map<string, { drawnFrom: string; made: HTMLElement }>();
    const kept = new Set(rows.map((row) => row.id));
    for (const [id, { made }] of shown) if (!kept.has(id)) made.remove();
    let before: Element | null = parent.firstElementChild;
    for (const row of rows) {
      const drawnFrom = JSON.stringify(row);
      const old = shown.get(row.id);
      const item = old?.drawnFrom === drawnFrom ? old : { drawnFrom, made: draw(row) };
      next.set(row.id, item);
      if (old !== undefined && old !== item) {
        const focused = old.made.contains(document.activeElement);
        if (before === old.made) before = item.made;
        old.made.replaceWith(item.made);
        if (focused) focusIn(item.made);
      }
      if (before === item.made) before = before.nextElementSibling;
      else parent.insertBefore(item.made, before);
    }
    shown = next;
  };
}

function focusIn(made: HTMLElement): void {
  const target = made.querySelector<HTMLElement>('button') ?? made;
  if (target === made) made.tabIndex = -1;
  target.focus();
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "5 minutes ago", with the exact time as its tooltip. */
export function timeElement(instant: string): HTMLTimeElement {
  const made = element('time', { datetime: instant, title: new Date(instant).toLocaleString() });
  made.textContent = ago(instant);
  return made;
}

function ago(instant: string): string {
  const seconds = (Date.parse(instant) - Date.now()) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return 'just now';
}

/** Rows with unchanged data are not redrawn, but their relative times change. */
export function refreshTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
    time.textContent = ago(time.dateTime);
  }
}
