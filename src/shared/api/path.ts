// The console loads it without the schemas of the contract.

import type { Endpoint } from './endpoint.ts';

/**
 * The address of a call, below that of the server: the path with its params filled in, and the query
 * without what is undefined. Throws when a param is missing.
 */
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
