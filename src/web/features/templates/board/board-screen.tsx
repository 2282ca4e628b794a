import { useQuery } from '@tanstack/react-query';
import { IconRocket } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../lib/i18n.ts';
import { QueryFailure } from '../../../resources/query-failure.tsx';
import { TemplateLink } from '../../../resources/links.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { DeployBoard } from './deploy-board.tsx';
import { deploymentQueries } from './deployments.queries.ts';

interface Props {
  projectId: number;
  /** Switches to the list. */
  views: ReactNode;
}

/** The boards of all build templates of a project. */
export function BoardScreen({ projectId, views }: Props) {
  return (
    <Page title={t('template.list')} actions={views}>
      <Boards projectId={projectId} />
    </Page>
  );
}

function Boards({ projectId }: { projectId: number }) {
  const { data, error, refetch } = useQuery(deploymentQueries.ofProject(projectId));
  if (error && !data) return <QueryFailure error={error} refetch={refetch} />;
  if (!data) return <Skeleton width="100%" height={160} />;
  if (data.boards.length === 0) {
    return (
      <EmptyState
        icon={<IconRocket size={24} />}
        title={t('template.board.none.title')}
        text={t('template.board.none.text')}
      />
    );
  }
  return data.boards.map((board) => (
    <section key={board.template_id} style={{ paddingBottom: 24 }}>
      <h2 className="text-15 weight-620" style={{ paddingBottom: 8 }}>
        <TemplateLink projectId={projectId} templateId={board.template_id} name={board.name} />
      </h2>
      <DeployBoard projectId={projectId} board={board} />
    </section>
  ));
}
