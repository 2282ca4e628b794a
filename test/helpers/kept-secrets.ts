// Checks after each request of each test that what was sent in a secret field is not answered,
// recorded or printed.

import type { InjectOptions } from 'fastify';
import { endpoints } from '#shared/api/index.ts';
import { createLog, type Log } from '../../src/node/log/log.ts';
import { secretsOf, secretValues } from './secret-fields.ts';

// Shorter texts are words that may occur anywhere.
const shortest = 12;

const routes = endpoints
  .filter(({ endpoint }) => secretsOf(endpoint).length > 0)
  .map(({ name, endpoint }) => {
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, param = '']) => param);
    const pattern = new RegExp(`^${endpoint.path.replace(/:\w+/g, '([^/]+)')}/?$`);
    return { name, endpoint, names, pattern };
  });

/** The places that must not contain a secret; they are read after a request that sent one. */
interface KeptSecret {
  name: string;
  read: () => Promise<string> | string;
}

/** Throws if one of the places contains the value of a secret field of the request. */
export async function checkKept(request: InjectOptions, places: KeptSecret[]): Promise<void> {
  const values = valuesOf(request);
  if (values.length === 0) return;
  for (const { name, read } of places) {
    const text = await read();
    for (const [path, value] of values) {
      const escaped = JSON.stringify(value).slice(1, -1);
      if (!text.includes(value) && !text.includes(escaped)) continue;
      throw new Error(`The secret in ${path} was found in ${name}:\n${text.slice(0, 2000)}`);
    }
  }
}

function valuesOf({ method = 'GET', url, query, payload }: InjectOptions): [string, string][] {
  if (typeof url !== 'string') return [];
  const address = new URL(url, 'http://localhost');
  const route = routes.find(
    ({ endpoint, pattern }) => endpoint.method === method && pattern.test(address.pathname),
  );
  if (!route) return [];
  const [, ...params] = route.pattern.exec(address.pathname) ?? [];
  const given = {
    params: Object.fromEntries(route.names.map((name, index) => [name, params[index]])),
    query: { ...Object.fromEntries(address.searchParams), ...(query as object | undefined) },
    body: typeof payload === 'string' ? parsed(payload) : payload,
  };
  return secretValues(route.endpoint, given)
    .filter(([, value]) => value.length >= shortest)
    .map(([path, value]) => [`${route.name} ${path}`, value]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const printed = new WeakMap<Log, { line: number; lines: string[] }>();

/** A log whose lines are kept, so that they can be searched; fatal lines are printed as well. */
export function watchedLog(): Log {
  const kept = { line: 0, lines: [] as string[] };
  const log = createLog('debug', {
    write(line) {
      kept.line += 1;
      kept.lines.push(line);
      // A single request prints fewer lines than that.
      if (kept.lines.length > 2000) kept.lines.splice(0, 1000);
      if (line.startsWith('{"level":"fatal"')) process.stderr.write(line);
    },
  });
  printed.set(log, kept);
  return log;
}

/** Returns a function that reads what has been printed since. */
export function logOf(log: Log): () => string {
  const kept = printed.get(log) ?? { line: 0, lines: [] };
  const before = kept.line;
  return () => kept.lines.slice(Math.max(0, kept.lines.length - (kept.line - before))).join('');
}
