// Configures how Vite builds React and GraphiQL for the playground: one script and one style sheet with fixed names in dist/playground.
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../../dist/playground',
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'graphiql.ts',
      preserveEntrySignatures: 'strict',
      output: { codeSplitting: false, entryFileNames: 'graphiql.js', assetFileNames: 'graphiql[extname]' },
    },
  },
});
