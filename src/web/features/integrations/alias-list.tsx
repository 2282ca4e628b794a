import { Button } from '@mantine/core';
import '@mantine/core/styles/Loader.layer.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import type { Alias } from '#shared/api/integrations.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useQuestion } from '../../lib/use-question.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { copy } from '../../ui/buttons/copy.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Section } from '../../ui/page/section.tsx';
import { toastError } from '../../ui/feedback/toast.ts';
import classes from './alias-list.module.css';
import {
  addAlias,
  addProjectAlias,
  integrationQueries,
  type Place,
  removeAlias,
  removeProjectAlias,
} from './integrations.queries.ts';

interface ListProps {
  title: string;
  text: string;
  aliases: Alias[] | undefined;
  failure: unknown;
  onRetry: () => void;
  isAdding: boolean;
  onAdd: () => void;
  isRemoving: boolean;
  onRemove: (alias: Alias, done: () => void) => void;
}

const onError = (error: unknown) => toastError(errorWords(error));

/** The addresses that reach every searchable integration of the project. */
export function ProjectAliases({ projectId }: { projectId: number }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(integrationQueries.projectAliases(projectId));
  const add = useMutation(addProjectAlias());
  const remove = useMutation(removeProjectAlias());
  const params = { project_id: projectId };
  return (
    <AliasList
      title={t('alias.of_project')}
      text={t('alias.of_project_text')}
      aliases={data}
      failure={error}
      onRetry={() => void refetch()}
      isAdding={add.isPending}
      onAdd={() => add.mutate({ params }, { onError })}
      isRemoving={remove.isPending}
      onRemove={({ id }, onSettled) =>
        remove.mutate({ params: { ...params, alias_id: id } }, { onError, onSettled })
      }
    />
  );
}

/** The addresses of one integration. */
export function IntegrationAliases({ place }: { place: Place }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(integrationQueries.aliases(place));
  const add = useMutation(addAlias());
  const remove = useMutation(removeAlias());
  const params = { project_id: place.projectId, integration_id: place.integrationId };
  return (
    <AliasList
      title={t('alias.list')}
      text={t('alias.text')}
      aliases={data}
      failure={error}
      onRetry={() => void refetch()}
      isAdding={add.isPending}
      onAdd={() => add.mutate({ params }, { onError })}
      isRemoving={remove.isPending}
      onRemove={({ id }, onSettled) =>
        remove.mutate({ params: { ...params, alias_id: id } }, { onError, onSettled })
      }
    />
  );
}

function AliasList(props: ListProps) {
  const { title, text, aliases, failure, onRetry, isAdding, onAdd, isRemoving, onRemove } = props;
  const { t } = useTranslation();
  const { thing: asked, opened, onClose, ask } = useQuestion<Alias>();
  const add = (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} />}
      disabled={!aliases}
      loading={isAdding}
      onClick={onAdd}
    >
      {aliases || failure ? t('alias.add') : t('alias.loading')}
    </Button>
  );
  return (
    <Section title={title} text={text} actions={add}>
      {failure && !aliases ? <Failure message={errorWords(failure)} onRetry={onRetry} /> : null}
      <ul aria-label={title}>
        {aliases?.map((alias) => (
          <AliasRow key={alias.id} url={alias.url} onDelete={() => ask(alias)} />
        ))}
      </ul>
      <ConfirmDialog
        opened={opened}
        onClose={onClose}
        title={t('alias.delete')}
        text={t('alias.delete_text', { url: asked?.url ?? '' })}
        action={t('common.delete')}
        busy={isRemoving}
        onConfirm={() => asked && onRemove(asked, onClose)}
      />
    </Section>
  );
}

function AliasRow({ url, onDelete }: { url: string; onDelete: () => void }) {
  const { t } = useTranslation();
  return (
    <li className={classes.alias}>
      <code className={`cut ${classes.url}`} title={url}>
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
