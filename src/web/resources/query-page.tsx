import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { errorWords } from '../lib/error-words.ts';
import { ResourceButtons, ResourcePage } from '../ui/page/resource-page.tsx';
import type { Endpoints } from './resource.ts';
import { type RowDialogs, useRowDialogs } from './use-deletion.tsx';

type PageProps = Omit<ComponentProps<typeof ResourcePage>, 'failure' | 'onRetry'>;

interface Props<Row> extends PageProps {
  result: Pick<UseQueryResult<Row>, 'data' | 'error' | 'refetch'>;
}

/** The page of the resource of a query, or the failure of the query. */
export const QueryPage = <Row,>({ result: { data, error, refetch }, ...page }: Props<Row>) => (
  <ResourcePage
    {...page}
    failure={error && !data ? errorWords(error) : null}
    onRetry={() => void refetch()}
  />
);

interface EditableProps<E extends Endpoints, Row, Scope>
  extends Props<Row>, RowDialogs<E, Row, Scope> {
  mayManage: boolean;
  onDeleted: () => void;
}

/** The page of a resource with the buttons that edit and delete it. */
export function EditablePage<E extends Endpoints, Row extends { id: number }, Scope extends object>(
  props: EditableProps<E, Row, Scope>,
) {
  const { mayManage, address, onDeleted, children, ...page } = props;
  const { data } = page.result;
  const { ask, dialogs } = useRowDialogs(props, { onDeleted });
  return (
    <QueryPage
      {...page}
      actions={
        mayManage &&
        data && (
          <ResourceButtons onDelete={() => ask(data)} onEdit={() => address.onEdit(data.id)} />
        )
      }
    >
      {children}
      {dialogs}
    </QueryPage>
  );
}
