// What the playground page loads of React and GraphiQL. Vite builds it into one file: neither package ships a bundle for browsers.
import 'graphiql/style.css';

export { GraphiQL } from 'graphiql';
export { createElement } from 'react';
export { createRoot } from 'react-dom/client';
