import { z } from 'zod';
import { messageParams } from './coded-messages.ts';
import { objectTypes } from '../object-types.ts';
import { endpoint } from './endpoint.ts';
import { id, idParam, time, timeParam } from '../fields.ts';
import { newestFirstQuery, searching, searchText } from './page.ts';

/** How an action reached the server. */
const actingVia = ['session', 'token', 'schedule', 'integration', 'server', 'cli'] as const;

const event = z.object({
  id,
  created: time,
  /** The code of the sentence, which is filled with `params`. */
  code: z.string(),
  params: messageParams,
  /** The sentence in English. */
  description: z.string(),
  project_id: id.nullable(),
  project_name: z.string().nullable(),
  user_id: id.nullable(),
  /** Login of the user; empty: no user. */
  username: z.string(),
  via: z.enum(actingVia),
  /** The token, schedule or integration. */
  via_id: id.nullable(),
  integration_id: id.nullable(),
  /** The client address; null: of the server itself, or hidden from the caller. */
  ip: z.string().nullable(),
  object_type: z.enum(objectTypes),
  object_id: id.nullable(),
  object_name: z.string(),
});
export type Event = z.output<typeof event>;

const filter = z.object({
  /** A code, or a prefix of codes, such as `key.`. */
  code: z
    .string()
    .regex(/^[a-z_]+\.[a-z_]*$/)
    .optional(),
  object_type: z.enum(objectTypes).optional(),
  user_id: idParam.optional(),
  /** Inclusive; `to` is exclusive. */
  from: timeParam.optional(),
  to: timeParam.optional(),
  /** Searched in the names of objects and users. */
  q: searchText,
});
const listQuery = newestFirstQuery.extend(filter.shape);
export type EventQuery = z.output<typeof listQuery>;

const exportQuery = filter.extend({ format: z.enum(['csv', 'json']).default('csv') });

export const events = {
  list: endpoint.get('/api/events', {
    permission: 'user',
    summary:
      'What happened in the projects of the caller, 1000 unless `limit` says otherwise; administrators see all of it. ' +
      searching,
    query: listQuery,
    reply: z.array(event),
  }),
  last: endpoint.get('/api/events/last', {
    permission: 'user',
    forOthers: true,
    summary: 'The newest events of the projects of the caller, 200 unless `limit` says otherwise',
    query: listQuery,
    reply: z.array(event),
  }),
  export: endpoint.get('/api/events/export', {
    permission: 'admin',
    summary: 'Everything that happened, as a file',
    query: exportQuery,
    reply: z.string(),
  }),
  ofProject: endpoint.get('/api/project/:project_id/events', {
    permission: 'member',
    summary:
      'What happened in the project, newest first, 1000 unless `limit` says otherwise. ' +
      searching,
    query: listQuery,
    reply: z.array(event),
  }),
  lastOfProject: endpoint.get('/api/project/:project_id/events/last', {
    permission: 'member',
    forOthers: true,
    summary: 'The newest events of the project, 200 unless `limit` says otherwise',
    query: listQuery,
    reply: z.array(event),
  }),
  exportOfProject: endpoint.get('/api/project/:project_id/events/export', {
    permission: 'event.audit',
    summary: 'What happened in the project, as a file',
    query: exportQuery,
    reply: z.string(),
  }),
};
