import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Token } from '#shared/api/tokens.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t, timeTag } from '../../lib/i18n.ts';
import { exactTime } from '../../lib/time.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { Chip } from '../../ui/feedback/chip.tsx';
import { QueryTable } from '../../resources/query-table.tsx';
import { useConfirmed } from '../../resources/use-confirmed.tsx';
import type { Column } from '../../ui/lists/data-table.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { actionsColumn, column } from '../../resources/columns.ts';
import { projectQueries } from '../projects/projects.queries.ts';
import { deleteToken, tokenQueries } from './tokens.queries.ts';

const NewTokenDialog = lazyExport(() => import('./new-token-dialog.tsx'), 'NewTokenDialog');

export function TokenList() {
  const result = useQuery(tokenQueries.list());
  const { data: projects } = useQuery(projectQueries.list());
  const [isAdding, setAdding] = useState(false);
  const deletion = useTokenDeletion();
  const projectNames = new Map(projects?.map(({ id, name }) => [id, name]));
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('token.new')}
    </Button>
  );
  const columns = columnsOf({
    projectName: (id) => projectNames.get(id) ?? '',
    onDelete: deletion.ask,
  });
  return (
    <>
      <QueryTable
        result={result}
        label={t('token.list')}
        columns={columns}
        expectedRows={3}
        empty={
          <EmptyState
            icon={<IconPlus size={24} />}
            title={t('token.none')}
            text={t('token.none_text')}
          >
            {add}
          </EmptyState>
        }
      >
        <div className="row wrap between gap-12" style={{ padding: '16px 0 8px' }}>
          <p className="soft">{t('token.text')}</p>
          {add}
        </div>
      </QueryTable>
      <OnceOpened opened={isAdding}>
        <NewTokenDialog opened={isAdding} onClose={() => setAdding(false)} />
      </OnceOpened>
      {deletion.dialog}
    </>
  );
}

function useTokenDeletion() {
  return useConfirmed({
    mutation: deleteToken(),
    argsOf: ({ id }: Token) => ({ params: { token_id: id } }),
    wordsOf: (token) => ({
      title: t('token.delete'),
      text: t('token.delete_text', { name: token ? shownName(token) : '' }),
      action: t('common.delete'),
    }),
    done: () => t('token.deleted'),
  });
}

const shownName = ({ name, hint }: Token): string => name || `…${hint}`;

interface Cells {
  projectName: (id: number) => string;
  onDelete: (token: Token) => void;
}

function columnsOf({ projectName, onDelete }: Cells): Column<Token>[] {
  return [
    column('name', t('common.name'), { wide: true }, (token) => <Name token={token} />),
    { key: 'scope', title: t('token.scope'), cell: ({ scope }) => t(`token.scopes.${scope}`) },
    column('project', t('token.project'), { from: 'medium' }, ({ project_id: id }) =>
      id === null ? t('token.all_projects') : projectName(id),
    ),
    column('used', t('token.last_used'), { from: 'medium' }, ({ last_used: time }) => (
      <TimeAgo time={time} />
    )),
    column('expires', t('token.expires'), { from: 'small' }, ({ expires, expired }) => {
      if (expired) return <Chip tone="danger">{t('token.expired')}</Chip>;
      return expires === null ? t('token.never') : exactTime(expires, timeTag());
    }),
    actionsColumn((token) => (
      <IconButton
        label={t('common.delete_label', { name: shownName(token) })}
        hint={t('common.delete')}
        icon={<IconTrash size={16} />}
        onClick={() => onDelete(token)}
      />
    )),
  ];
}

function Name({ token }: { token: Token }) {
  return (
    <span title={token.name}>
      {token.name} <code className="soft">…{token.hint}</code>
    </span>
  );
}
