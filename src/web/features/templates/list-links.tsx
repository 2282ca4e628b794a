import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { viewQueries } from '../views/views.queries.ts';

interface Props {
  projectId: number;
  /** The view from which the page was opened. */
  viewId: number | null;
  listAddress: (viewId: number | null) => string;
}

/** The links to the list of templates and to its view, above a page. */
export function ListLinks({ projectId, viewId, listAddress }: Props) {
  const { data } = useQuery(viewQueries.list(projectId));
  const view = data?.find(({ id }) => id === viewId);
  return (
    <>
      <Link to={listAddress(null)}>{t('template.list')}</Link>
      {view && (
        <>
          <span className="soft" aria-hidden="true">
            {' › '}
          </span>
          <Link to={listAddress(view.id)}>{view.title}</Link>
        </>
      )}
    </>
  );
}
