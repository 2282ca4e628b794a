import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { View } from '#shared/api/views.ts';
import { t } from '../../lib/i18n.ts';

interface Props {
  views: View[];
  /** The open view; null for all templates. */
  viewId: number | null;
  addressOf: (viewId: number | null) => string;
  /** The mark of a restricted view. */
  renderMark: (viewId: number) => ReactNode;
}

export function ViewTabs({ views, viewId, addressOf, renderMark }: Props) {
  const all = { id: null, title: t('view.all') };
  return [all, ...views].map(({ id, title }) => (
    <Link
      key={id ?? 'all'}
      to={addressOf(id)}
      search={(search) => search}
      aria-current={id === viewId ? 'page' : undefined}
      activeOptions={{ exact: true }}
    >
      {title} {id !== null && renderMark(id)}
    </Link>
  ));
}
