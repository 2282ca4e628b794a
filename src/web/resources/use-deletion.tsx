// Deletes a row of a resource: reads what uses it, asks for confirmation, and deletes it.

import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Endpoint } from '#shared/api/endpoint.ts';
import type { References } from '#shared/api/references.ts';
import type { tasks } from '#shared/api/tasks.ts';
import { toastFailure } from './use-confirmed.tsx';
import { t } from '../lib/i18n.ts';
import { query } from '../lib/query.ts';
import { useDialogState } from '../lib/use-dialog-state.ts';
import { DeleteDialog } from '../ui/dialogs/delete-dialog.tsx';
import { toast } from '../ui/feedback/toast.ts';
import type { AnyWrite, Endpoints, Resource } from './resource.ts';
import { OnceOpened } from '../ui/dialogs/once-opened.tsx';
import type { EditAddress } from '../ui/forms/edit-dialog.tsx';
import type { ResourceDialog } from './resource-dialog.tsx';

type Section = keyof References;

const addresses: Record<Section, (id: number) => string> = {
  projects: () => 'settings',
  templates: (id) => `templates/${id}`,
  workflows: (id) => `workflows/${id}`,
  inventories: (id) => `inventory?edit=${id}`,
  repositories: (id) => `repositories?edit=${id}`,
  host_configs: (id) => `keys/hosts?edit=${id}`,
  execution_environments: (id) => `execution-environments?edit=${id}`,
  schedules: (id) => `schedules?edit=${id}`,
  integrations: (id) => `integration/${id}`,
  alert_channels: (id) => `alerts?edit=${id}`,
};

/** Null: the project of the row is unknown, because it uses a resource of the installation. */
function addressOf(projectId: number | undefined, section: Section, id: number): string | null {
  const project = projectId ?? (section === 'projects' ? id : null);
  return project === null ? null : `/project/${project}/${addresses[section](id)}`;
}

const sectionsOf = (projectId: number | undefined, references: References) =>
  (Object.keys(addresses) as Section[])
    .filter((section) => references[section].length > 0)
    .map((section) => ({
      title: t(`references.${section}`),
      items: references[section].map(({ id, name }) => ({
        id,
        name,
        address: addressOf(projectId, section, id),
      })),
    }));

interface Options<Row> {
  onDeleted?: (() => void) | undefined;
  /** The consequences, if the words of the resource do not have them. */
  renderText?: ((row: Row) => ReactNode) | undefined;
  /** Counts what is lost with the row. */
  lossesOf?: (row: Row) => ReturnType<typeof query<CountEndpoint>>;
}

type CountEndpoint = typeof tasks.count;

/** The number of losses from which on the name of the row has to be typed. */
const MIN_TYPED_LOSSES = 20;

const noLosses = { queryKey: ['', {}, {}] as const, queryFn: () => ({ count: 0, is_whole: true }) };

/** The name that has to be typed before the row is deleted; null: none. */
function useTypedName<Row>(row: Row | null, name: string, lossesOf: Options<Row>['lossesOf']) {
  const isCounted = row !== null && lossesOf !== undefined;
  const { data } = useQuery({ ...(isCounted ? lossesOf(row) : noLosses), enabled: isCounted });
  return isCounted && data && data.count >= MIN_TYPED_LOSSES ? name : null;
}

/** Returns a function that opens the dialog for a row, and the dialog. */
export function useDeletion<Row extends { id: number }, E extends Endpoints, Scope>(
  resource: Resource<E, Row, Scope>,
  scope: Scope,
  { onDeleted, renderText, lossesOf }: Options<Row> = {},
) {
  const { noun, refs, nameOf } = resource;
  const { resource: row, opened, onClose, ask } = useDialogState<Row>();
  const name = row ? nameOf(row) : '';
  const typed = useTypedName(opened ? row : null, name, lossesOf);
  const params = row ? resource.paramsOf(scope, row.id) : {};
  const deletion = useMutation(resource.remove() as unknown as AnyWrite);
  // The references of a deleted row are not read again, although a change of the project refetches
  // all reads.
  const isGone = deletion.isPending || deletion.isSuccess;
  const users = useQuery({
    ...query<Endpoint>(refs ?? resource.endpoints.remove, { params }),
    enabled: opened && refs !== undefined && !isGone,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const onConfirm = () => {
    if (!row) return;
    const onSuccess = () => {
      toast(t(`${noun}.deleted`, { name: nameOf(row) }));
      onDeleted?.();
    };
    deletion.mutate({ params }, { onSuccess, onError: toastFailure, onSettled: onClose });
  };
  // Without the references, the dialog asks all the same: the server refuses to delete a row that
  // is used.
  const isUnused = refs === undefined || users.isError;
  const found = users.data as References | undefined;
  return {
    ask: (asked: Row) => {
      deletion.reset();
      ask(asked);
    },
    dialog: (
      <DeleteDialog
        opened={opened}
        sections={isUnused ? [] : found && sectionsOf(params['project_id'], found)}
        title={t(`${noun}.delete`)}
        text={row && renderText ? renderText(row) : t(`${noun}.delete_text`, { name })}
        typed={typed}
        refusal={refs ? t('references.refused', { object: t(`${noun as Used}.object`) }) : ''}
        busy={deletion.isPending}
        onConfirm={onConfirm}
        onClose={onClose}
      />
    ),
  };
}

/**
 * The dialogs that edit and delete the rows of a resource. Returns a function that asks before a
 * deletion, and the dialogs.
 */
export function useRowDialogs<
  Row extends { id: number },
  E extends Endpoints,
  Scope extends object,
>({ resource, scope, Dialog, address }: RowDialogs<E, Row, Scope>, options: Options<Row> = {}) {
  const deletion = useDeletion(resource, scope, options);
  const { edit, onEdit } = address;
  const dialogs = (
    <>
      <OnceOpened opened={edit !== null}>
        <Dialog {...scope} edit={edit} onClose={() => onEdit(null)} />
      </OnceOpened>
      {deletion.dialog}
    </>
  );
  return { ask: deletion.ask, dialogs };
}

export interface RowDialogs<E extends Endpoints, Row, Scope> {
  resource: Resource<E, Row, Scope>;
  scope: Scope;
  Dialog: ResourceDialog<Scope>;
  address: EditAddress;
}

type Used =
  | 'environment'
  | 'execution_environment'
  | 'integration'
  | 'inventory'
  | 'key'
  | 'repository'
  | 'template'
  | 'workflow';
