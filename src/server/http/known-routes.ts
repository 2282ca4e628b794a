// The registered routes under /api, to distinguish 405 from 404.

import type { FastifyInstance, FastifyRequest } from 'fastify';

interface KnownAddress {
  segments: string[];
  methods: Set<string>;
}

export type KnownRoutes = ReturnType<typeof knownRoutes>;

export const pathOf = (url: string): string => url.split('?')[0] ?? '/';

/** Ignores a trailing slash. */
const segmentsOf = (url: string): string[] => pathOf(url).replace(/\/$/, '').split('/');
const isParam = (segment: string): boolean => segment.startsWith(':');

const isAt = ({ segments }: KnownAddress, path: string[]): boolean =>
  segments.length === path.length &&
  segments.every((one, at) => (isParam(one) ? path[at] !== '' : one === path[at]));

/** Like the router: the route with the first static segment wins. */
function byPrecedence(a: KnownAddress, b: KnownAddress): number {
  const differing = a.segments.findIndex(
    (one, at) => isParam(one) !== isParam(b.segments[at] ?? ''),
  );
  if (differing === -1) return 0;
  return isParam(a.segments[differing] ?? '') ? 1 : -1;
}

/** Whether both routes match some path, and `first` wins. */
function precedes(first: KnownAddress, second: KnownAddress): boolean {
  const canBeBoth =
    first.segments.length === second.segments.length &&
    first.segments.every((one, at) => {
      const other = second.segments[at] ?? '';
      return one === other || isParam(one) || isParam(other);
    });
  return canBeBoth && byPrecedence(first, second) < 0;
}

/** A route without a permission stops the start, except for those before `closeConsole`. */
export function watchRoutes(app: FastifyInstance) {
  const known = new Map<string, KnownAddress>();
  let isConsole = true;
  app.addHook('onRoute', ({ url, method, config }) => {
    if (isConsole && !url.startsWith('/api')) return;
    if (!config?.permission) throw new Error(`${String(method)} ${url} declares no permission`);
    const address = known.get(url) ?? { segments: segmentsOf(url), methods: new Set() };
    for (const one of [method].flat()) address.methods.add(one);
    known.set(url, address);
  });
  const closeConsole = (): void => {
    isConsole = false;
  };
  return { routes: knownRoutes(known), closeConsole };
}

function knownRoutes(known: Map<string, KnownAddress>) {
  const preceding = new Map<string, KnownAddress[]>();
  const findPreceding = (url: string): KnownAddress[] => {
    const address = known.get(url);
    const found = address ? [...known.values()].filter((one) => precedes(one, address)) : [];
    preceding.set(url, found);
    return found;
  };
  return {
    /** The methods of the most specific route at a path; empty if there is none. */
    methodsAt(path: string): string[] {
      const segments = segmentsOf(path);
      const [first] = [...known.values()]
        .filter((one) => isAt(one, segments))
        .toSorted(byPrecedence);
      return [...(first?.methods ?? [])];
    },
    /** Whether a word was matched as a parameter: `PUT …/inventory/preview` is no update of an inventory. */
    isMistaken({ url, routeOptions }: FastifyRequest): boolean {
      const { url: taken = '' } = routeOptions;
      const others = preceding.get(taken) ?? findPreceding(taken);
      if (others.length === 0) return false;
      const segments = segmentsOf(url);
      return others.some((one) => isAt(one, segments));
    },
  };
}
