import { Button } from '@mantine/core';
import {
  useMutation,
  type UseMutationOptions,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query';
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import type { Alias } from '#shared/api/integrations.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { t } from '../../lib/i18n.ts';
import { toastFailure, useConfirmed } from '../../resources/use-confirmed.tsx';
import { copy } from '../../ui/buttons/copy.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Section } from '../../ui/page/section.tsx';
import { usePages } from '../../ui/lists/use-pages.tsx';
import {
  addAlias,
  addProjectAlias,
  integrationQueries,
  paramsOf,
  type IntegrationRef,
  removeAlias,
  removeProjectAlias,
} from './integrations.queries.ts';

interface ListProps<Params> {
  title: string;
  text: string;
  /** Shown if there is none. */
  nothing?: string;
  aliases: UseQueryResult<Alias[]>;
  params: Params;
  add: UseMutationOptions<Alias, Error, { params: Params }>;
  remove: UseMutationOptions<unknown, Error, { params: Params & { alias_id: number } }>;
}

/** The addresses of every searchable integration of the project. */
export function ProjectAliases({ projectId }: { projectId: number }) {
  return (
    <AliasList
      title={t('alias.of_project')}
      text={t('alias.of_project_text')}
      aliases={useQuery(integrationQueries.projectAliases(projectId))}
      params={{ project_id: projectId }}
      add={addProjectAlias()}
      remove={removeProjectAlias()}
    />
  );
}

export function IntegrationAliases({ place }: { place: IntegrationRef }) {
  return (
    <AliasList
      title={t('alias.list')}
      text={t('alias.text')}
      nothing={t('alias.none')}
      aliases={useQuery(integrationQueries.aliases(place))}
      params={paramsOf(place)}
      add={addAlias()}
      remove={removeAlias()}
    />
  );
}

/** Shorter pages, because aliases are below another list. */
const aliasesOfPage = 20;

function AliasList<Params>({
  title,
  text,
  nothing,
  aliases: { data: aliases, error, refetch },
  params,
  ...writes
}: ListProps<Params>) {
  const adding = useMutation({ ...writes.add, onError: toastFailure });
  const removal = useConfirmed({
    mutation: writes.remove,
    argsOf: ({ id }: Alias) => ({ params: { ...params, alias_id: id } }),
    wordsOf: (alias) => ({
      title: t('alias.delete'),
      text: t('alias.delete_text', { url: alias?.url ?? '' }),
      action: t('common.delete'),
    }),
  });
  const { shown, pager } = usePages(aliases, aliasesOfPage);
  const add = (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} />}
      disabled={!aliases}
      loading={adding.isPending}
      onClick={() => adding.mutate({ params })}
    >
      {aliases || error ? t('alias.add') : t('alias.loading')}
    </Button>
  );
  return (
    <Section title={title} text={text} actions={add}>
      {error && !aliases && <QueryFailure error={error} refetch={refetch} />}
      {nothing && aliases?.length === 0 && <p className="color-warning">{nothing}</p>}
      <ul aria-label={title}>
        {shown?.map((alias) => (
          <AliasRow key={alias.id} url={alias.url} onDelete={() => removal.ask(alias)} />
        ))}
      </ul>
      {pager}
      {removal.dialog}
    </Section>
  );
}

function AliasRow({ url, onDelete }: { url: string; onDelete: () => void }) {
  return (
    <li className="row gap-4 border-bottom" style={{ minHeight: 40 }}>
      <code className="cut grow smaller" title={url}>
        {url}
      </code>
      <IconButton
        label={t('alias.copy')}
        icon={<IconCopy size={16} />}
        onClick={() => void copy(url, t('alias.copied'))}
      />
      <IconButton label={t('alias.delete')} icon={<IconTrash size={16} />} onClick={onDelete} />
    </li>
  );
}
