import { Link } from '@tanstack/react-router';
import type { View } from '#shared/api/views.ts';
import { t } from '../../lib/i18n.ts';

interface Props {
  views: View[];
  /** The shown view; null for all templates. */
  viewId: number | null;
  addressOf: (viewId: number | null) => string;
}

/** The views of the project, beside "All". */
export function ViewTabs({ views, viewId, addressOf }: Props) {
  const all = { id: null, title: t('view.all') };
  return [all, ...views].map(({ id, title }) => (
    <Link
      key={id ?? 'all'}
      to={addressOf(id)}
      // Search and order stay.
      search={(search) => search}
      aria-current={id === viewId ? 'page' : undefined}
      activeOptions={{ exact: true }}
    >
      {title}
    </Link>
  ));
}
