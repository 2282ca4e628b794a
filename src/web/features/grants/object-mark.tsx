import { VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import { t } from '../../lib/i18n.ts';
import { Tooltip } from '../../ui/feedback/tooltip.tsx';
import { useRestrictions } from './use-restrictions.ts';

/** Renders a lock for the name of a restricted object, and nothing for others. */
export function useRestrictedMark(
  projectId: number,
  type: GrantedType | undefined,
): (id: number) => ReactNode {
  const data = useRestrictions(projectId, type !== undefined);
  const restricted = new Set(
    data.filter(({ object_type: one }) => one === type).map(({ object_id: id }) => id),
  );
  return (id) => restricted.has(id) && <RestrictedMark />;
}

const RestrictedMark = () => (
  <Tooltip label={t('access.restricted')}>
    <span
      className="inline-flex flex-none soft"
      style={{ verticalAlign: 'middle', alignSelf: 'center' }}
    >
      <IconLock size={15} aria-hidden="true" />
      <VisuallyHidden>{t('access.restricted')}</VisuallyHidden>
    </span>
  </Tooltip>
);
