// Starts Swagger UI in the page of the REST description.

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
});
