// Counts the printers that need a person, for the title of the tab, while no farm page is in view that counts them itself.
import { useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { type AlertKind, NeedsYouDocument } from '../../generated/web-operations';
import { needsYouCount } from '../parts/needs-you';

/** A hidden tab polls too, because its title is all that the user sees of it. */
const POLL_MS = 30_000;
/** The first request waits, because the page that the user opened comes first. */
const FIRST_MS = 5_000;

/** The alerts for which a tile of the farm page shows "Needs you". */
const KINDS: readonly AlertKind[] = [
  'PRINTER_FAULT',
  'PRINTER_PAUSED',
  'DEVICE_REFUSED',
  'PRINT_WAITS',
  'PRINT_UNRESOLVED',
];

export function NeedsYouPoll() {
  const [isWaiting, setWaiting] = useState(true);
  const [isHidden, setHidden] = useState(document.hidden);
  const isFarmInView = useLocation().pathname === '/' && !isHidden;
  useEffect(() => {
    const timer = setTimeout(() => setWaiting(false), FIRST_MS);
    const follow = () => setHidden(document.hidden);
    document.addEventListener('visibilitychange', follow);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', follow);
      // After signing out.
      needsYouCount(0);
    };
  }, []);
  const { data } = useQuery(NeedsYouDocument, {
    pollInterval: POLL_MS,
    fetchPolicy: 'network-only',
    skip: isWaiting || isFarmInView,
  });
  useEffect(() => {
    if (data === undefined) return;
    const ids = data.alerts.flatMap(({ kind, printer }) => (printer && KINDS.includes(kind) ? [printer.id] : []));
    needsYouCount(new Set(ids).size);
  }, [data]);
  return null;
}
