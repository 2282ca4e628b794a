import { Button } from '@mantine/core';
import '@mantine/core/styles/Loader.layer.css';
import { useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import type { Alias } from '#shared/api/integrations.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useDialogState } from '../../lib/use-dialog-state.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { copy } from '../../ui/buttons/copy.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Section } from '../../ui/page/section.tsx';
import { usePages } from '../../ui/lists/use-pages.tsx';
import { toastError } from '../../ui/feedback/toast.ts';
import {
  addAlias,
  addProjectAlias,
  integrationQueries,
  paramsOf,
  type IntegrationRef,
  removeAlias,
  removeProjectAlias,
} from './integrations.queries.ts';

interface Doing<Params> {
  isPending: boolean;
  mutate: (
    call: { params: Params },
    then: { onError: (error: unknown) => void; onSettled?: () => void },
  ) => void;
}

interface ListProps<Params> {
  title: string;
  text: string;
  aliases: UseQueryResult<Alias[]>;
  /** The params of the owner of the aliases. */
  params: Params;
  adding: Doing<Params>;
  removing: Doing<Params & { alias_id: number }>;
}

const onError = (error: unknown) => toastError(errorWords(error));

/** The addresses that reach every searchable integration of the project. */
export function ProjectAliases({ projectId }: { projectId: number }) {
  const { t } = useTranslation();
  return (
    <AliasList
      title={t('alias.of_project')}
      text={t('alias.of_project_text')}
      aliases={useQuery(integrationQueries.projectAliases(projectId))}
      params={{ project_id: projectId }}
      adding={useMutation(addProjectAlias())}
      removing={useMutation(removeProjectAlias())}
    />
  );
}

/** The addresses of one integration. */
export function IntegrationAliases({ place }: { place: IntegrationRef }) {
  const { t } = useTranslation();
  return (
    <AliasList
      title={t('alias.list')}
      text={t('alias.text')}
      aliases={useQuery(integrationQueries.aliases(place))}
      params={paramsOf(place)}
      adding={useMutation(addAlias())}
      removing={useMutation(removeAlias())}
    />
  );
}

/** Aliases stand below another list. */
const aliasesOfPage = 20;

function AliasList<Params>({
  title,
  text,
  aliases: { data: aliases, error, refetch },
  params,
  adding,
  removing,
}: ListProps<Params>) {
  const { t } = useTranslation();
  const { thing: asked, opened, onClose, ask } = useDialogState<Alias>();
  const { shown, pager } = usePages(aliases, aliasesOfPage);
  const add = (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} />}
      disabled={!aliases}
      loading={adding.isPending}
      onClick={() => adding.mutate({ params }, { onError })}
    >
      {aliases || error ? t('alias.add') : t('alias.loading')}
    </Button>
  );
  return (
    <Section title={title} text={text} actions={add}>
      {error && !aliases && <Failure message={errorWords(error)} onRetry={() => void refetch()} />}
      <ul aria-label={title}>
        {shown?.map((alias) => (
          <AliasRow key={alias.id} url={alias.url} onDelete={() => ask(alias)} />
        ))}
      </ul>
      {pager}
      <ConfirmDialog
        opened={opened}
        onClose={onClose}
        title={t('alias.delete')}
        text={t('alias.delete_text', { url: asked?.url ?? '' })}
        action={t('common.delete')}
        busy={removing.isPending}
        onConfirm={() =>
          asked &&
          removing.mutate(
            { params: { ...params, alias_id: asked.id } },
            { onError, onSettled: onClose },
          )
        }
      />
    </Section>
  );
}

function AliasRow({ url, onDelete }: { url: string; onDelete: () => void }) {
  const { t } = useTranslation();
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
