import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorWords } from '../lib/error-words.ts';
import type { HelpTopic } from '../ui/dialogs/help-topics.ts';
import { OpenedForm } from '../ui/forms/edit-dialog.tsx';
import { FormDialog } from '../ui/forms/form-dialog.tsx';

interface Props<Row> {
  result: Pick<UseQueryResult<Row>, 'data' | 'error' | 'refetch'>;
  opened: boolean;
  onClose: () => void;
  title: string;
  help: HelpTopic;
  children: (row: Row) => ReactNode;
}

/** The dialog that launches the template or workflow of a query. */
export function LaunchFormDialog<Row extends { name: string }>(props: Props<Row>) {
  const { result, title, children, ...frame } = props;
  const { data, error, refetch } = result;
  return (
    <FormDialog {...frame} title={data ? `${data.name} › ${title}` : title}>
      <OpenedForm
        opened={{
          resource: data,
          failure: error && !data ? errorWords(error) : null,
          onRetry: () => void refetch(),
          reloads: 0,
        }}
      >
        {children}
      </OpenedForm>
    </FormDialog>
  );
}
