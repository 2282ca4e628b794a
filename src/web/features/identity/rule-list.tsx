import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import type { GroupRule } from '#shared/api/identity.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { errorWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { useConfirmed } from '../../resources/use-confirmed.tsx';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { editColumn, EditLink } from '../../ui/lists/row-actions.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Section } from '../../ui/page/section.tsx';
import { column } from '../../resources/columns.ts';
import { limitsText } from '../../resources/limits/limit-words.ts';
import type { GrantedParts } from './granted-parts.ts';
import { deleteRule, identityQueries } from './identity.queries.ts';
import { gives, inOrder, sourceName } from './rule-words.ts';

const RuleDialog = lazyExport(() => import('./rule-dialog.tsx'), 'RuleDialog');

interface Props {
  address: EditAddress;
  parts: GrantedParts;
}

export function RuleList({ address: { edit, onEdit }, parts }: Props) {
  const { data, error, refetch } = useQuery(identityQueries.rules());
  const { data: providers } = useQuery(identityQueries.providers());
  const removal = useRemoval();
  const columns = columnsOf({
    nameOf: (source) => sourceName(providers, source),
    onEdit,
    onDelete: removal.ask,
  });
  return (
    <Section
      title={t('identity.rules')}
      text={t('identity.rules_text')}
      actions={
        <Button
          leftSection={<IconPlus size={16} />}
          data-shortcut="n"
          onClick={() => onEdit('new')}
        >
          {t('identity.new_rule')}
        </Button>
      }
    >
      <Failure message={error && !data ? errorWords(error) : null} onRetry={() => void refetch()} />
      {data?.length === 0 ? (
        <EmptyState icon={<IconUsersGroup size={24} />} title={t('identity.no_rules')} />
      ) : (
        <DataTable
          label={t('identity.rules')}
          columns={columns}
          rows={data && inOrder(data)}
          rowKey={({ id }) => id}
          expectedRows={2}
        />
      )}
      <OnceOpened opened={edit !== null}>
        <RuleDialog edit={edit} onClose={() => onEdit(null)} parts={parts} />
      </OnceOpened>
      {removal.dialog}
    </Section>
  );
}

function useRemoval() {
  return useConfirmed({
    mutation: deleteRule(),
    argsOf: ({ id }: GroupRule) => ({ params: { rule_id: id } }),
    wordsOf: (rule) => ({
      title: t('identity.delete_rule'),
      text: t('identity.delete_rule_text', { name: rule?.pattern ?? '' }),
      action: t('common.delete'),
    }),
    done: () => t('identity.rule_deleted'),
  });
}

interface ColumnsProps {
  nameOf: (source: string) => string;
  onEdit: (id: number) => void;
  onDelete: (rule: GroupRule) => void;
}

const columnsOf = ({ nameOf, onEdit, onDelete }: ColumnsProps): Column<GroupRule>[] => [
  column('pattern', t('identity.group'), { wide: true }, ({ id, pattern }) => (
    <span className="mono">
      <EditLink id={id}>{pattern}</EditLink>
    </span>
  )),
  column('gives', t('identity.becomes'), {}, (rule) => (
    <>
      {gives(rule)}
      <div className="soft small">{limitsText(rule.limits)}</div>
    </>
  )),
  column('claim', t('identity.claim'), { from: 'small' }, ({ claim }) => (
    <span className="mono">{claim}</span>
  )),
  column('source', t('identity.source'), { from: 'medium' }, ({ source }) => nameOf(source)),
  editColumn<GroupRule>({ nameOf: ({ pattern }) => pattern, onEdit, onDelete }),
];
