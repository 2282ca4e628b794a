import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Column, DataTable } from '../../ui/lists/data-table.tsx';
import { editColumn, EditLink } from '../../ui/lists/row-actions.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { Section } from '../../ui/page/section.tsx';

interface Rule {
  id: number;
  name: string;
}

interface Props<R extends Rule> {
  title: string;
  text: string;
  /** The words of the button that makes a rule. */
  add: string;
  /** The words for an empty list, which say what it means. */
  none: string;
  rules: R[] | undefined;
  failure: Error | null;
  onRetry: () => void;
  /** The columns between the name and the buttons. */
  columns: Column<R>[];
  /** The search parameter of the address that names the edited rule. */
  param: string;
  mayManage: boolean;
  onEdit: (edit: number | 'new') => void;
  onDelete: (rule: R) => void;
  /** The dialogs. */
  children: ReactNode;
}

/** The table of the matchers or of the extracted values of an integration. */
export function RuleList<R extends Rule>(props: Props<R>) {
  const { title, text, add, none, rules, failure, onRetry, mayManage, onEdit, children } = props;
  return (
    <Section
      title={title}
      text={text}
      actions={
        mayManage && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => onEdit('new')}
          >
            {add}
          </Button>
        )
      }
    >
      {failure && !rules ? (
        <Failure message={errorWords(failure)} onRetry={onRetry} />
      ) : rules?.length === 0 ? (
        <p>{none}</p>
      ) : (
        <RuleTable {...props} />
      )}
      {children}
    </Section>
  );
}

function RuleTable<R extends Rule>(props: Props<R>) {
  const { title, rules, columns, mayManage, onEdit, onDelete } = props;
  const { t } = useTranslation();
  const shown = [nameColumn(props, t), ...columns];
  return (
    <DataTable
      label={title}
      columns={mayManage ? [...shown, editColumn<R>({ onEdit, onDelete })] : shown}
      rows={rules}
      rowKey={({ id }) => id}
      expectedRows={2}
    />
  );
}

const nameColumn = <R extends Rule>({ mayManage, param }: Props<R>, t: TFunction): Column<R> => ({
  key: 'name',
  title: t('common.name'),
  wide: true,
  cell: ({ id, name }) =>
    mayManage ? (
      <EditLink id={id} param={param}>
        {name}
      </EditLink>
    ) : (
      <span title={name}>{name}</span>
    ),
});
