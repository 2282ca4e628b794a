// The words and actions of the screen that lists a kind of resource; `ui/lists/resource-list.tsx`
// draws the screen.

import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { errorWords } from './error-words.ts';
import { useTranslation } from './i18n.ts';
import { useDelete } from './use-delete.ts';

interface Resource {
  id: number;
  name: string;
}

interface Options<Row extends Resource, Address> {
  /** The key of the resource's words in the locales. */
  noun: 'key' | 'inventory' | 'environment' | 'repository';
  projectId: number;
  mayManage: boolean;
  address: Address;
  query: UseQueryOptions<Row[]>;
  endpoints: { list: Endpoint; refs: Endpoint; remove: Endpoint };
  onDone: (message: string) => void;
  onFailed: (message: string) => void;
}

export function useResourceList<Row extends Resource, Address>(options: Options<Row, Address>) {
  const { noun, projectId, mayManage, address, query, endpoints, onDone, onFailed } = options;
  const { t } = useTranslation();
  const things = useQuery(query);
  const deletion = useDelete<Row>({
    projectId,
    refs: endpoints.refs,
    remove: endpoints.remove,
    refresh: [endpoints.list],
    params: ({ id }) => ({ project_id: projectId, [`${noun}_id`]: id }),
    onDeleted: ({ name }) => onDone(t(`${noun}.deleted`, { name })),
    onFailed,
  });
  return {
    mayManage,
    address,
    title: t(`${noun}.list`),
    add: t(`${noun}.new`),
    empty: {
      title: t(`${noun}.none.title`),
      text: t(mayManage ? `${noun}.none.text` : `${noun}.none.text_read_only`),
    },
    rows: things.data,
    failure: things.error && errorWords(things.error),
    onRetry: () => void things.refetch(),
    onDelete: deletion.ask,
    deletion: {
      ...deletion.dialog,
      title: t(`${noun}.delete`),
      text: t(`${noun}.delete_text`, { name: deletion.thing?.name ?? '' }),
      refusal: t('references.refused', { object: t(`${noun}.object`) }),
    },
  };
}
