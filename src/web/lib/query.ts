// Builds the options of reads and writes from endpoints, so that no code writes cache keys.

import { MutationCache, QueryClient, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { CallOf, Endpoint, ReplyOf } from '#shared/api/endpoint.ts';
import { ApiError, type ArgsOf, type ListPage, request, requestPage } from './api.ts';

interface KeyArgs {
  params?: unknown;
  query?: unknown;
}
export type Key = readonly [path: string, params: unknown, query: unknown];

const keyOf = (endpoint: Endpoint, args: KeyArgs | undefined): Key => [
  endpoint.path,
  args?.params ?? {},
  args?.query ?? {},
];

/** The options of a read, for `useQuery` and for prefetching alike. */
export function query<E extends Endpoint>(endpoint: E, ...[args]: ArgsOf<E>) {
  const given = args as KeyArgs | undefined;
  return queryOptions<ReplyOf<E>>({
    queryKey: keyOf(endpoint, given),
    queryFn: ({ signal }) => request(endpoint, given, signal),
  });
}

/** The options of a read of one page of a list; the page has the cursor of the next one. */
export function queryPage<Item extends { id: number }>(
  endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<Item[]>>,
  args: { params?: unknown; query: { limit: number; [name: string]: unknown } },
) {
  return queryOptions<ListPage<Item>>({
    // The last part distinguishes this entry from the same list read without pages.
    queryKey: [...keyOf(endpoint, args), 'page'],
    queryFn: ({ signal }) => requestPage<Item>(endpoint, args, signal),
  });
}

const pageSize = 500;

/** The options of a read of all pages of a list. */
export function queryAll<Item extends { id: number }>(
  endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<Item[]>>,
  args: { params: unknown },
) {
  return queryOptions<Item[]>({
    queryKey: keyOf(endpoint, args),
    async queryFn({ signal }) {
      const all: Item[] = [];
      for (let before: number | undefined; ;) {
        const asked = { ...args, query: { limit: pageSize, before } };
        const page = await request(endpoint, asked, signal);
        all.push(...page);
        before = page.at(-1)?.id;
        if (page.length < pageSize) return all;
      }
    },
  });
}

/** The options of a write, which then refetches everything in `refresh`. */
export function send<E extends Endpoint>(endpoint: E, { refresh = [] as Endpoint[] } = {}) {
  return {
    mutationFn: (args: CallOf<E>): Promise<ReplyOf<E>> => request(endpoint, args),
    meta: { refresh: refresh.map(({ path }) => path) },
  };
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
    },
  },
  mutationCache: new MutationCache({
    onSuccess: async (_data, _variables, _result, mutation) => {
      const paths = (mutation.meta?.['refresh'] ?? []) as string[];
      await Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
    },
  }),
});
