// What a task printed: whole, in ranges, and searched.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, idParam, time } from '../fields.ts';
import { inProject } from './projects.ts';

/** One line as clients of the older API expect it. */
const taskOutput = z.object({
  task_id: id,
  task: z.string(),
  time,
  output: z.string(),
});

export const logLine = z.object({
  time,
  output: z.string(),
  /** Characters that have been left out at its end. */
  cut: z.number().int().optional(),
});
export type LogLine = z.output<typeof logLine>;

const logPage = z.object({
  /** Number of the first line in `lines`; lines count from 1. */
  from: z.number().int(),
  /** Lines stored so far. */
  total: z.number().int(),
  lines: z.array(logLine),
});
export type LogPage = z.output<typeof logPage>;

const logHit = z.object({
  line: z.number().int(),
  /** The line around its first hit, as it is shown: without colours. */
  text: z.string(),
  /** Where in `text` the hit begins, and how long it is. */
  at: z.number().int(),
  length: z.number().int(),
});
export type LogHit = z.output<typeof logHit>;

const logHits = z.object({
  /** Lines that match, from `from` on. */
  total: z.number().int(),
  /** False: there are more; nobody counts further. */
  is_exact: z.boolean(),
  hits: z.array(logHit),
  /** The line to ask from for the next page; null: this is the last one. */
  next: z.number().int().nullable(),
  /** The last line that was stored when the search began; a later search may go on behind it. */
  through: z.number().int(),
});
export type LogHits = z.output<typeof logHits>;

const hosts = z.number().int().min(0);

const logSection = z.object({
  kind: z.enum(['play', 'task', 'handler', 'recap']),
  /** The line with its name; it ends before the next section. */
  line: z.number().int(),
  name: z.string(),
  /** Hosts, each counted once, by the gravest that has happened to it. */
  ok: hosts,
  changed: hosts,
  skipped: hosts,
  failed: hosts,
  unreachable: hosts,
  /** Failed, and the playbook does not mind. */
  ignored: hosts,
});
export type LogSection = z.output<typeof logSection>;

const logOutline = z.object({
  sections: z.array(logSection),
  /** The last line that was looked at; the last section may still grow behind it. */
  through: z.number().int(),
  /** False: there are more sections than are told apart. */
  is_complete: z.boolean(),
});
export type LogOutline = z.output<typeof logOutline>;

const params = inProject.extend({ task_id: idParam });

const lineNumber = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .pipe(z.number().int().min(1));

/** They belong to the tasks. */
export const logEndpoints = {
  output: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/output',
    permission: 'member',
    summary: 'The whole log in one answer, streamed',
    params,
    reply: z.array(taskOutput),
  }),
  text: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/raw_output',
    permission: 'member',
    summary:
      'The log, or some lines of it, as a text file, with or without time stamps and colours',
    params,
    query: z.object({
      time: z.enum(['on', 'off']).default('off'),
      color: z.enum(['on', 'off']).default('off'),
      from: lineNumber.default(1),
      limit: lineNumber.optional(),
      /** To be shown instead of saved. */
      inline: z.enum(['on', 'off']).default('off'),
    }),
    reply: z.string(),
  }),
  lines: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/lines',
    permission: 'member',
    summary: 'A range of the log by line number; fewer lines than asked for when they are long',
    params,
    query: z.object({
      from: lineNumber.default(1),
      limit: lineNumber.pipe(z.number().max(5000)).default(1000),
      /** Characters of a line; a longer one is cut. */
      width: lineNumber.optional(),
    }),
    reply: logPage,
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/search',
    permission: 'member',
    summary: 'The lines of the log that contain a text, also while the task runs',
    params,
    query: z.object({
      q: z.string().min(1).max(250),
      /** Whether capital and small letters differ. */
      case: z.enum(['on', 'off']).default('off'),
      from: lineNumber.default(1),
      limit: lineNumber.pipe(z.number().max(1000)).default(100),
    }),
    reply: logHits,
  }),
  outline: endpoint({
    method: 'GET',
    path: '/api/project/:project_id/tasks/:task_id/outline',
    permission: 'member',
    summary:
      'The plays and tasks of an Ansible run by the lines in which they begin, with what became ' +
      'of their hosts, also while it runs; empty for other programs',
    params,
    query: z.object({
      /** Sections that begin before this line are left out. */
      from: lineNumber.default(1),
    }),
    reply: logOutline,
  }),
};
