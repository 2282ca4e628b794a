import { Button } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { Failure } from '../feedback/failure.tsx';
import { Page } from './page.tsx';

interface Props extends ComponentProps<typeof Page> {
  above: ReactNode;
  /** Why the resource could not be read; null if it is shown or still loaded. */
  failure: string | null;
  onRetry: () => void;
}

/** The page of one resource, or the failure to read it. */
export function ResourcePage({ title, above, failure, onRetry, children, ...parts }: Props) {
  const path = <nav aria-label={t('common.breadcrumb')}>{above}</nav>;
  if (failure === null) {
    return (
      <Page title={title} above={path} {...parts}>
        {children}
      </Page>
    );
  }
  return (
    <Page title={title} above={path}>
      <Failure message={failure} onRetry={onRetry} />
    </Page>
  );
}

export function ResourceButtons({
  onDelete,
  onEdit,
}: {
  onDelete: () => void;
  onEdit: () => void;
}) {
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={onDelete}>
        {t('common.delete')}
      </Button>
      <Button leftSection={<IconPencil size={16} />} onClick={onEdit}>
        {t('common.edit')}
      </Button>
    </>
  );
}
