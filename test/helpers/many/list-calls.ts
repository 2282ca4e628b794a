// Derives every way to call every list from the contract, so that no list can be forgotten.

import { z } from 'zod';
import { pathOf } from '#shared/api/path.ts';
import { endpoints, type NamedEndpoint } from '#shared/api/index.ts';
import { taskRow } from './history.ts';
import type { Size } from './rows.ts';
import { firstHost, firstId, shapeOf, thingId } from './rows.ts';

export interface ListCall {
  /** The name of the endpoint. */
  name: string;
  url: string;
  /** The query; empty for a call without one. */
  asked: string;
  /** Whether other people than administrators are refused. */
  isForAdmins: boolean;
}

/** The endpoints that list rows of the database, so not the branches of a repository. */
export const listEndpoints: NamedEndpoint[] = endpoints.filter(
  ({ name, endpoint }) =>
    endpoint.method === 'GET' &&
    endpoint.reply instanceof z.ZodArray &&
    name !== 'repositories.branchesOf',
);

// Values for parameters that are no choices.
const samples: Record<string, string[]> = {
  limit: ['50'],
  count: ['50'],
  q: ['firewall', 'service 1', 'found nowhere'],
  code: ['task.started', 'key.', 'nothing.here'],
  from: ['2024-02-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'],
  // The inventories of an app have certain types.
  app: ['ansible', 'tofu'],
  to: ['2024-02-01T00:00:00.000Z', '2001-01-01T00:00:00.000Z'],
  start: ['2024-02-01'],
  end: ['2999-01-01'],
};

// Filters that are combined in one call, of which the last value of each counts.
const together = [
  ['q', 'status', 'user_id', 'template_id', 'object_type'],
  ['from', 'to'],
  ['from', 'to', 'status'],
];

/** All calls of the lists of a project that the sizes describe. */
export function listCalls(size: Size, projectId: number): ListCall[] {
  return listEndpoints.flatMap(({ name, endpoint }) => {
    const ids = idsOf(size, projectId, name);
    const path = pathOf(endpoint, { params: ids });
    const { shape } = endpoint.query as z.ZodObject;
    const single = Object.entries(shape).flatMap(([key, schema]) =>
      choices(key, schema as z.ZodType, ids).map((value) => ({ [key]: value })),
    );
    const combined = together.map((keys) =>
      Object.fromEntries(
        keys
          .filter((key) => key in shape)
          .map((key) => [key, choices(key, shape[key] as z.ZodType, ids).at(-1) ?? '']),
      ),
    );
    const queries: Record<string, string>[] = [{}, ...single];
    queries.push(...combined.filter((all) => Object.keys(all).length > 1));
    return queries.map((query) => {
      const asked = new URLSearchParams(query).toString();
      const isForAdmins = endpoint.permission === 'admin';
      return { name, asked, isForAdmins, url: asked ? `${path}?${asked}` : path };
    });
  });
}

function choices(key: string, schema: z.ZodType, ids: Record<string, number | string>): string[] {
  // The choices are taken from the input of the pipe, because the pipe ignores some columns.
  if (schema instanceof z.ZodPipe) return choices(key, schema.in as z.ZodType, ids);
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
  const inner = isWrapped ? schema.unwrap() : schema;
  if (inner instanceof z.ZodEnum) return someOf(inner.options.map(String));
  return samples[key] ?? [String(known(ids, key))];
}

/** Three of many choices, so that no list takes most of the time. */
function someOf(all: string[]): string[] {
  if (all.length <= 3) return all;
  return [0, Math.floor((all.length * 2) / 3), all.length - 1].map((index) => all[index] ?? '');
}

function known(ids: Record<string, number | string>, key: string): number | string {
  const id = ids[key];
  if (id === undefined) throw new Error(`Give an example of "${key}": a list asks for it.`);
  return id;
}

/** The oldest task of a project. */
function firstTask(size: Size, projectId: number): number {
  const shape = shapeOf(size);
  for (let index = 0; index < size.tasks; index += 1) {
    if (taskRow(shape, index).project_id === projectId) return firstId + index;
  }
  throw new Error(`No task is of project ${projectId}`);
}

/** An id for each parameter; `before` is in the middle of the list. */
function idsOf(size: Size, project_id: number, name: string): Record<string, number | string> {
  const shape = shapeOf(size);
  const { first, count } = shape.templatesOf(project_id);
  const thing = thingId(shape, project_id, 0);
  const middles: Record<string, number> = {
    tasks: firstId + Math.floor(size.tasks / 2),
    'hosts.tasks': firstId + Math.floor(size.tasks / 2),
    templates: first + Math.floor(count / 2),
    events: Math.ceil(size.events / 2),
  };
  return {
    project_id,
    template_id: first,
    object_type: 'template',
    object_id: first,
    user_id: firstId,
    task_id: firstTask(size, project_id),
    view_id: thing,
    integration_id: thing,
    schedule_id: thing,
    workflow_id: thing,
    run_id: thing,
    alert_channel_id: thing,
    host: firstHost,
    before: middles[name] ?? middles[name.split('.')[0] ?? ''] ?? thing,
  };
}
