// Redirects old addresses of pages to the new ones, because notifications and bookmarks still lead to them.
import { Navigate, useLocation } from 'react-router';
import { NotFoundPage } from './not-found-page';

const REDIRECTS: [from: RegExp, to: string][] = [
  [/^\/filament\/?$/, '/spools'],
  [/^\/filament\/usage$/, '/reports'],
  [/^\/filament\/(spools\/[^/]+|materials|printers)$/, '/$1'],
];

export function MovedPage() {
  const { pathname, search } = useLocation();
  const [from, to] = REDIRECTS.find(([from]) => from.test(pathname)) ?? [];
  if (from === undefined || to === undefined) return <NotFoundPage />;
  return <Navigate to={pathname.replace(from, to) + search} replace />;
}
