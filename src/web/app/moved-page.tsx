// The addresses of pages that have others now: notifications and bookmarks lead to the old ones.
import { Navigate, useLocation } from 'react-router';
import { NoPage } from './no-page';

const NOW: [old: RegExp, now: string][] = [
  [/^\/filament\/?$/, '/spools'],
  [/^\/filament\/usage$/, '/reports'],
  [/^\/filament\/(spools\/[^/]+|materials|printers)$/, '/$1'],
];

export function MovedPage() {
  const { pathname, search } = useLocation();
  const [old, now] = NOW.find(([old]) => old.test(pathname)) ?? [];
  if (old === undefined || now === undefined) return <NoPage />;
  return <Navigate to={pathname.replace(old, now) + search} replace />;
}
