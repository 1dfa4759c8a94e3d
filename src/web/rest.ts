// Starts Swagger UI in the page of the REST API reference.

import { followAppearance, headers } from './tool-page.js';

/** The global variable of the prebuilt bundle. */
interface Bundle {
  SwaggerUIBundle(options: object): void;
}

(window as unknown as Bundle).SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#description',
  deepLinking: true,
  // A reader looks for members, not only for an example.
  defaultModelRendering: 'model',
  defaultModelExpandDepth: 3,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  requestInterceptor: (request: { headers: Record<string, string> }) => {
    Object.assign(request.headers, headers());
    return request;
  },
  // The command that it shows for a request is without the key.
  showMutatedRequest: false,
});

followAppearance((isDark) => document.documentElement.classList.toggle('dark-mode', isDark));
