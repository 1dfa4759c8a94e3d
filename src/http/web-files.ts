// The dashboard's files: the page at `/` and what it loads under `/assets`.
import { CSS, HTML, JAVASCRIPT, projectFile, type StaticFile, SVG } from './static-files';

export const DASHBOARD_CONTENT_SECURITY_POLICY =
  "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Compiled modules keep the folders of src, so that their imports of each other hold. */
export const dashboardFiles: readonly StaticFile[] = [
  {
    url: '/',
    path: projectFile('src', 'web', 'index.html'),
    type: HTML,
    contentSecurityPolicy: DASHBOARD_CONTENT_SECURITY_POLICY,
  },
  { url: '/assets/styles.css', path: projectFile('src', 'web', 'styles.css'), type: CSS },
  { url: '/assets/icon.svg', path: projectFile('src', 'web', 'icon.svg'), type: SVG },
  ...[
    'web/app.js',
    'web/cards-view.js',
    'web/client.js',
    'web/elements.js',
    'web/jobs-view.js',
    'web/sign-in.js',
    'generated/operations.js',
  ].map((module) => ({
    url: `/assets/${module}`,
    path: projectFile('dist', 'web', module),
    type: JAVASCRIPT,
  })),
];
