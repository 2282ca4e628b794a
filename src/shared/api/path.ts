// Separate from the schemas, because the console loads it without them.

import type { Endpoint } from './endpoint.ts';

/** The path with its params and the query without undefined values. Throws when a param is missing. */
export function pathOf(
  { path }: Pick<Endpoint, 'path'>,
  { params, query }: { params?: unknown; query?: unknown } = {},
): string {
  const ids = (params ?? {}) as Record<string, string | number | undefined>;
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${path}: "${name}" is missing`);
    return encodeURIComponent(id);
  });
  const search = Object.entries((query ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`);
  return search.length > 0 ? `${filled}?${search.join('&')}` : filled;
}
