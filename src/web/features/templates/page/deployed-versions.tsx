import { useQuery } from '@tanstack/react-query';
import { t } from '../../../lib/i18n.ts';
import { DeployBoard } from '../board/deploy-board.tsx';
import { deploymentQueries } from '../board/deployments.queries.ts';

interface Props {
  projectId: number;
  buildTemplateId: number;
}

/** Where the versions of a build template are; nothing if no template deploys them. */
export function DeployedVersions({ projectId, buildTemplateId }: Props) {
  const { data } = useQuery(deploymentQueries.ofBuild(projectId, buildTemplateId));
  const board = data?.boards[0];
  if (!board) return null;
  return (
    <section>
      <h2 className="text-15 weight-620" style={{ padding: '24px 0 8px' }}>
        {t('template.board.deploys')}
      </h2>
      <DeployBoard projectId={projectId} board={board} />
    </section>
  );
}
