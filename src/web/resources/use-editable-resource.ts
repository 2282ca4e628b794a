// Reads the resource when its form opens, together with its revision.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallOf, Endpoint, ReplyOf } from '#shared/api/endpoint.ts';
import { revisionOf } from '../lib/api.ts';
import { errorWords } from '../lib/error-words.ts';
import { query } from '../lib/query.ts';

export interface Base<Resource> {
  resource: Resource;
  /** For the header `If-Match` of the change. */
  revision: string | undefined;
  /** Reads the resource again and resets the form to it. */
  onReload: () => void;
}

/** `params` is null for a new resource, for which nothing is read. */
export function useEditableResource<E extends Endpoint, P extends CallOf<E>['params'] | null>(
  endpoint: E,
  params: P,
) {
  const options = query<Endpoint>(endpoint, { params: params ?? {} } as never);
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    ...options,
    staleTime: 0,
    refetchOnMount: 'always',
    enabled: params !== null,
  });
  // The first reading stays until a reload, because the form has its values.
  const [base, setBase] = useState<Base<ReplyOf<E>> | null>(null);
  const [reloads, setReloads] = useState(0);
  const baseOf = (resource: object): Base<ReplyOf<E>> => ({
    resource: resource as ReplyOf<E>,
    revision: revisionOf(resource),
    onReload: () => void reload(),
  });
  const reload = async () => {
    const { data: fresh } = await refetch();
    if (fresh === undefined) return;
    setBase(baseOf(fresh as object));
    setReloads((count) => count + 1);
  };
  if (base === null && isFetchedAfterMount && data !== undefined) setBase(baseOf(data as object));
  return {
    resource: (params === null ? null : (base ?? undefined)) as
      | Base<ReplyOf<E>>
      | Extract<P, null>
      | undefined,
    failure: error && base === null ? errorWords(error) : null,
    onRetry: () => void refetch(),
    reloads,
  };
}
