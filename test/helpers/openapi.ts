// The OpenAPI document of the server under test.

import { openApiDocument } from '../../src/server/http/openapi/openapi.ts';

/** The document, printed once for each worker. */
export const openApi = JSON.parse(await openApiDocument('test')) as Record<string, unknown>;
