// The page at /api/docs: shows the OpenAPI document, and sends requests with the session of the
// browser or with an API token. Everything comes from this server.

import 'swagger-ui-dist/swagger-ui.css';
import './page.css';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';

document.documentElement.classList.toggle(
  'dark-mode',
  matchMedia('(prefers-color-scheme: dark)').matches,
);

SwaggerUI({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  // The document is not sent to a validator.
  validatorUrl: null,
});
