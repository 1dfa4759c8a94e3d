// The GraphQL playground: GraphiQL's prebuilt browser bundle out of node_modules, so that it works without internet.
import { CSS, HTML, JAVASCRIPT, packageFile, projectFile, type StaticFile } from './static-files';

/** Nothing from elsewhere, no eval. GraphiQL's dialogs insert a style element to lock scrolling, hence the exception. */
export const PLAYGROUND_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What a browser gets that opens the GraphQL endpoint itself. */
export function playgroundPage(url: string): StaticFile {
  return {
    url,
    path: projectFile('src', 'web', 'playground.html'),
    type: HTML,
    contentSecurityPolicy: PLAYGROUND_CONTENT_SECURITY_POLICY,
  };
}

/** What that page loads; its links are relative to `/graphql`. GraphiQL 5 ships no prebuilt bundle, React 19 neither. */
export function playgroundAssets(): StaticFile[] {
  const assets = '/graphql/assets';
  return [
    {
      url: `${assets}/react.js`,
      path: packageFile('react', 'umd', 'react.production.min.js'),
      type: JAVASCRIPT,
    },
    {
      url: `${assets}/react-dom.js`,
      path: packageFile('react-dom', 'umd', 'react-dom.production.min.js'),
      type: JAVASCRIPT,
    },
    { url: `${assets}/graphiql.js`, path: packageFile('graphiql', 'graphiql.min.js'), type: JAVASCRIPT },
    { url: `${assets}/graphiql.css`, path: packageFile('graphiql', 'graphiql.min.css'), type: CSS },
    { url: `${assets}/playground.css`, path: projectFile('src', 'web', 'playground.css'), type: CSS },
    { url: `${assets}/playground.js`, path: projectFile('dist', 'web', 'web', 'playground.js'), type: JAVASCRIPT },
    {
      url: `${assets}/playground-examples.js`,
      path: projectFile('dist', 'web', 'web', 'playground-examples.js'),
      type: JAVASCRIPT,
    },
  ];
}
