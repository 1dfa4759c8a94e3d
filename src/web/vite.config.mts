// How Vite builds the dashboard: into dist/dashboard, for the gateway's content security policy.
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Files name each other by relative addresses: a proxy may lead a path of its host here.
  base: './',
  // The recipe of docs/guides/graphql-client.md, for `npx vite src/web` beside a gateway.
  server: { proxy: { '/graphql': { target: 'http://127.0.0.1:4000' } } },
  // The other pages here are not Vite's.
  optimizeDeps: { entries: ['index.html'] },
  build: {
    outDir: '../../dist/dashboard',
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy allows files of the gateway alone, no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the first page needs is one file: each further one costs its headers.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', tags: ['$initial'] }] } } },
  },
});
