// Exports the parts of React and GraphiQL that the playground uses. Vite bundles them, because neither package ships a bundle for
// browsers.
import 'graphiql/style.css';

export { GraphiQL } from 'graphiql';
export { createElement } from 'react';
export { createRoot } from 'react-dom/client';
