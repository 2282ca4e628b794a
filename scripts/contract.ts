// A Vite plugin for the build: the console loads the contract without its schemas. Each module of
// src/shared that has schemas is replaced by its outline: of an endpoint what the console reads, and
// plain values as they are. Schemas and functions stay in the whole module, which is loaded with the
// forms that use them.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'vite';
import type { Endpoint } from '../src/shared/api/endpoint.ts';

const shared = join(import.meta.dirname, '../src/shared/');
const suffix = '?whole';

export const isWhole = (id: string): boolean => id.endsWith(suffix);

/** An import of types only makes no schemas. */
const hasSchemas = (code: string): boolean =>
  /^import \{[^}]*\} from '(?:zod|[^']*endpoint\.ts)'/m.test(code);

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'reply' in value;

const readOf = ({ method, path, versioned }: Endpoint) => ({ method, path, versioned });

/** Of an object of endpoints what the console reads; other values unchanged. */
function withoutSchemas(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value as Record<string, unknown>);
  const endpoints = parts.flatMap(([name, part]) =>
    isEndpoint(part) ? [[name, readOf(part)] as const] : [],
  );
  const areAll = endpoints.length > 0 && endpoints.length === parts.length;
  return areAll ? Object.fromEntries(endpoints) : value;
}

/** The value as JSON; null if it is not the same as JSON. */
function jsonOf(value: unknown): string | null {
  const text = JSON.stringify(value) as string | undefined;
  return text !== undefined && isDeepStrictEqual(JSON.parse(text), value) ? text : null;
}

async function outlineOf(id: string): Promise<string> {
  const module = (await import(pathToFileURL(id).href)) as Record<string, unknown>;
  const lines = Object.entries(module).map(([name, value]) => {
    const json = jsonOf(withoutSchemas(value));
    return json === null
      ? `export { ${name} } from ${JSON.stringify(id + suffix)};`
      : `export const ${name} = ${json};`;
  });
  return lines.join('\n');
}

export function contract(): Plugin {
  return {
    name: 'contract',
    apply: 'build',
    enforce: 'pre',
    async transform(code, id) {
      if (!id.startsWith(shared) || !hasSchemas(code)) return null;
      // A whole module nothing of which is used is left out, though its schemas are made by calls.
      return {
        code: isWhole(id) ? code : await outlineOf(id),
        map: null,
        moduleSideEffects: false,
      };
    },
  };
}
