// Configures how Vite builds the dashboard into dist/dashboard, so that it works under the gateway's content security policy.
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses, because a proxy may serve the gateway under a path.
  base: './',
  // For `npx vite src/web` beside a running gateway, as docs/guides/graphql-client.md describes.
  server: { proxy: { '/graphql': { target: 'http://127.0.0.1:4000' } } },
  // The other HTML pages in this folder are not built by Vite.
  optimizeDeps: { entries: ['index.html'] },
  build: {
    outDir: '../../dist/dashboard',
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy allows only files of the gateway, no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Everything that the first page needs is in one file, because each further file costs a request.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', tags: ['$initial'] }] } } },
  },
});
