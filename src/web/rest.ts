// Starts Swagger UI in the page of the REST API reference.
import { followAppearance, headers } from './tool-page.js';

/** The global variable that the prebuilt bundle of Swagger UI defines. */
interface Bundle {
  SwaggerUIBundle(options: object): void;
}

(window as unknown as Bundle).SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#description',
  deepLinking: true,
  // Show the members with their descriptions first: a reader needs more than an example.
  defaultModelRendering: 'model',
  defaultModelExpandDepth: 3,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  requestInterceptor: (request: { headers: Record<string, string> }) => {
    Object.assign(request.headers, headers());
    return request;
  },
  // The shown curl command must not contain the key.
  showMutatedRequest: false,
});

followAppearance((isDark) => document.documentElement.classList.toggle('dark-mode', isDark));
