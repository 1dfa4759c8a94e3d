// Draws the icon of what a printer does, on tiles, in tables and on the page of a printer. The word beside it has the same meaning, so
// screen readers skip the icon.
import type { PrinterActivity } from '../../generated/web-operations';

const CIRCLE = 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2a7 7 0 1 1 0 14 7 7 0 0 1 0-14z';
const CROSS = 'M6 7.4 7.4 6 12 10.6 16.6 6 18 7.4 13.4 12l4.6 4.6-1.4 1.4-4.6-4.6L7.4 18 6 16.6 10.6 12z';
const TRIANGLE = 'M12 2 1 21h22zm-1 7h2v6h-2zm0 7.5h2v2h-2z';

/** What a printer does, or what it means for the user. */
export type StateIconName = PrinterActivity | 'NEEDS_YOU' | 'NO_MACHINE';

/** The outlines on a square of 24. They differ, so that they are recognized without colour. */
const ICONS: Record<StateIconName, string> = {
  UNKNOWN: CIRCLE,
  IDLE: CIRCLE,
  PREPARING: 'M3 10h4v4H3zm7 0h4v4h-4zm7 0h4v4h-4z',
  PRINTING: 'M7 4v16l13-8z',
  PAUSED: 'M6 4h4v16H6zm8 0h4v16h-4z',
  FINISHED: 'M9.5 18.5 3 12l2-2 4.5 4.5L19 5l2 2z',
  ERROR: TRIANGLE,
  NEEDS_YOU: TRIANGLE,
  OFFLINE: CROSS,
  NO_MACHINE: 'M4 10.5h16v3H4z',
};

export const StateIcon = ({ name }: { name: StateIconName }) => (
  <svg viewBox="0 0 24 24" fill="currentColor" fillRule="evenodd" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
);
