// The log of a task: whole, in ranges, searched, and its outline.

import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, numberParam, time } from '../fields.ts';

/** One line in the format of the older API. */
const taskOutput = z.object({
  /** The number of the line in the log of its task. */
  id: z.number().int(),
  task_id: id,
  task: z.string(),
  time,
  output: z.string(),
});

export const logLine = z.object({
  time,
  output: z.string(),
  /** How many characters were cut off at its end. */
  cut: z.number().int().optional(),
});
export type LogLine = z.output<typeof logLine>;

const logPage = z.object({
  /** The number of the first line in `lines`; lines are numbered from 1. */
  from: z.number().int(),
  /** The number of stored lines. */
  total: z.number().int(),
  lines: z.array(logLine),
});
export type LogPage = z.output<typeof logPage>;

const logHit = z.object({
  line: z.number().int(),
  /** The text around the first hit, without colours. */
  text: z.string(),
  at: z.number().int(),
  length: z.number().int(),
});
export type LogHit = z.output<typeof logHit>;

const logHits = z.object({
  /** The number of matching lines, from `from` on. */
  total: z.number().int(),
  /** Whether all matching lines were counted. */
  is_exact: z.boolean(),
  hits: z.array(logHit),
  /** The `from` of the next page; null: none. */
  next: z.number().int().nullable(),
  /** The last line that was stored when the search began, after which a later search may continue. */
  through: z.number().int(),
});
export type LogHits = z.output<typeof logHits>;

const hosts = z.number().int().min(0);

export const logSection = z.object({
  kind: z.enum(['play', 'task', 'handler', 'recap']),
  /** The line of its heading; the section ends before the next one. */
  line: z.number().int(),
  name: z.string(),
  /** The number of hosts by their most severe result. */
  ok: hosts,
  changed: hosts,
  skipped: hosts,
  failed: hosts,
  unreachable: hosts,
  /** Failed, but the playbook ignores errors. */
  ignored: hosts,
  /** Failed, and handled by the rescue section of a block. */
  rescued: hosts,
});
export type LogSection = z.output<typeof logSection>;

const shownSection = logSection.extend({
  /** The parameter for the results of the task; absent: the section was found in the text of the log. */
  section: z.number().int().optional(),
});
export type ShownSection = z.output<typeof shownSection>;

export const noResults: Omit<LogSection, 'kind' | 'line' | 'name'> = {
  ok: 0,
  changed: 0,
  skipped: 0,
  failed: 0,
  unreachable: 0,
  ignored: 0,
  rescued: 0,
};

const logOutline = z.object({
  sections: z.array(shownSection),
  /** The last line that was read; the last section may grow with later lines. */
  through: z.number().int(),
  /** False: there are more sections than the limit. */
  is_complete: z.boolean(),
});
export type LogOutline = z.output<typeof logOutline>;

/** Listed among the endpoints of tasks. */
export const logEndpoints = {
  output: endpoint.get('/api/project/:project_id/tasks/:task_id/output', {
    permission: 'task.log',
    forOthers: true,
    summary: 'The whole log in one answer, streamed',
    reply: z.array(taskOutput),
  }),
  text: endpoint.get('/api/project/:project_id/tasks/:task_id/raw_output', {
    permission: 'task.log',
    summary:
      'The log, or some lines of it, as a text file, with or without time stamps and colours',
    query: z.object({
      time: z.enum(['on', 'off']).default('off'),
      color: z.enum(['on', 'off']).default('off'),
      from: numberParam().default(1),
      limit: numberParam().optional(),
      /** Whether a browser shows the text instead of saving it. */
      inline: z.enum(['on', 'off']).default('off'),
    }),
    reply: z.string(),
  }),
  lines: endpoint.get('/api/project/:project_id/tasks/:task_id/lines', {
    permission: 'task.log',
    summary: 'A range of the log by line number; fewer lines than asked for when they are long',
    query: z.object({
      from: numberParam().default(1),
      limit: numberParam(5000).default(1000),
      /** The maximal length of a line; longer ones are cut. */
      width: numberParam().optional(),
    }),
    reply: logPage,
  }),
  search: endpoint.get('/api/project/:project_id/tasks/:task_id/search', {
    permission: 'task.log',
    summary: 'The lines of the log that contain a text, also while the task runs',
    query: z.object({
      q: z.string().min(1).max(250),
      case: z.enum(['on', 'off']).default('off'),
      from: numberParam().default(1),
      limit: numberParam(1000).default(100),
    }),
    reply: logHits,
  }),
  outline: endpoint.get('/api/project/:project_id/tasks/:task_id/outline', {
    permission: 'task.log',
    summary:
      'The plays and tasks of an Ansible run by the lines in which they begin, with what became ' +
      'of their hosts, also while it runs, whatever prints its output. Of other programs: those ' +
      'that their output names',
    query: z.object({
      /** The line of the first section. */
      from: numberParam().default(1),
    }),
    reply: logOutline,
  }),
};
