// Deletes a thing of a project: reads what uses the thing, asks for confirmation, and deletes it.

import { useMutation, useQuery } from '@tanstack/react-query';
import type { Endpoint } from '#shared/api/endpoint.ts';
import type { References } from '#shared/api/references.ts';
import { errorWords } from './error-words.ts';
import { t } from './i18n.ts';
import { query, send } from './query.ts';
import { useDialogState } from './use-dialog-state.ts';

interface DeletableResource {
  id: number;
  name: string;
}

interface Options<T extends DeletableResource> {
  projectId: number;
  /** The endpoint that lists what uses the thing; absent for things that nothing refers to. */
  refs?: Endpoint;
  remove: Endpoint;
  /** The lists that show the thing. */
  refresh: Endpoint[];
  params: (resource: T) => Record<string, number>;
  onDeleted: (resource: T) => void;
  /** Shows why the thing could not be deleted. */
  onFailed: (message: string) => void;
}

type Section = keyof References;

const addresses: Record<Section, (id: number) => string> = {
  templates: (id) => `templates/${id}`,
  workflows: (id) => `workflows/${id}`,
  inventories: (id) => `inventory?edit=${id}`,
  repositories: (id) => `repositories?edit=${id}`,
  host_configs: (id) => `keys/hosts?edit=${id}`,
  schedules: (id) => `schedules?edit=${id}`,
  integrations: (id) => `integration/${id}`,
  alert_channels: (id) => `alerts?edit=${id}`,
};

const sectionsOf = (projectId: number, references: References) =>
  (Object.keys(addresses) as Section[])
    .filter((section) => references[section].length > 0)
    .map((section) => ({
      title: t(`references.${section}`),
      items: references[section].map(({ id, name }) => ({
        id,
        name,
        address: `/project/${projectId}/${addresses[section](id)}`,
      })),
    }));

/**
 * `dialog` holds the props of `DeleteDialog`; `resource` is what the dialog asks about, also while it
 * closes.
 */
export function useDelete<T extends DeletableResource>(options: Options<T>) {
  const { projectId, refs, remove, refresh, params } = options;
  const { thing: resource, opened, onClose, ask } = useDialogState<T>();
  const question = { params: resource ? params(resource) : {} };
  const deletion = useMutation(send(remove, { refresh }));
  // Nothing is asked about what has been deleted, also if a change of the project refreshes all reads.
  const isGone = deletion.isPending || deletion.isSuccess;
  const users = useQuery({
    ...query<Endpoint>(refs ?? remove, question as never),
    enabled: opened && refs !== undefined && !isGone,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const onConfirm = () => {
    if (!resource) return;
    deletion.mutate({ params: params(resource) } as never, {
      onSuccess: () => options.onDeleted(resource),
      onError: (error) => options.onFailed(errorWords(error)),
      onSettled: onClose,
    });
  };
  // If the references cannot be read, the dialog asks all the same: the server refuses to delete a
  // thing that is used.
  const isUnused = refs === undefined || users.isError;
  const found = users.data as References | undefined;
  const sections = isUnused ? [] : found && sectionsOf(projectId, found);
  return {
    thing: resource,
    ask: (asked: T) => {
      deletion.reset();
      ask(asked);
    },
    dialog: { opened, sections, busy: deletion.isPending, onConfirm, onClose },
  };
}
