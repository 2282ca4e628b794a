import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const info = z.object({
  version: z.string(),
  ansible: z.string(),
  web_host: z.string(),
  use_remote_runner: z.boolean(),
  /** Programs that tasks need and that are not installed on the server. */
  missing_programs: z.array(z.string()),
  /** Which ways of sending alerts an administrator has set up for the whole server. */
  alerts: z.object({ mail: z.boolean(), telegram: z.boolean() }),
});

export const system = {
  ping: endpoint({
    method: 'GET',
    path: '/api/ping',
    permission: 'public',
    summary: 'Whether the server is alive; answers the text "pong"',
    reply: z.string(),
  }),
  info: endpoint({
    method: 'GET',
    path: '/api/info',
    permission: 'user',
    projectTokens: true,
    summary: 'Version and abilities of this server',
    reply: info,
  }),
  openapi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    permission: 'public',
    summary: 'This API as an OpenAPI 3.1 document',
    reply: z.looseObject({ openapi: z.string() }),
  }),
};
