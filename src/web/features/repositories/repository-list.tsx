import { VisuallyHidden } from '@mantine/core';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import { IconGitBranch, IconLockOpen } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Repository } from '#shared/api/repositories.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import type { Column } from '../../ui/lists/data-table.tsx';
import { ResourceList, type ResourceListProps } from '../../resources/resource-list.tsx';
import { Tooltip } from '../../ui/feedback/tooltip.tsx';
import { column } from '../../resources/columns.ts';
import { useKeyNames } from '../keys/keys.queries.ts';
import { repositoryQueries, repositoryResource } from './repositories.queries.ts';
import { isPlainHttp, urlType } from './url-type.ts';
import classes from './repository-list.module.css';

const RepositoryDialog = lazyExport(() => import('./repository-dialog.tsx'), 'RepositoryDialog');

interface Props extends ResourceListProps {
  moreActions: ReactNode;
}

export function RepositoryList({ moreActions, projectId, ...screen }: Props) {
  const keyName = useKeyNames(projectId);
  return (
    <ResourceList
      {...screen}
      resource={repositoryResource}
      scope={{ projectId }}
      query={repositoryQueries.list(projectId)}
      Dialog={RepositoryDialog}
      moreActions={moreActions}
      icon={<IconGitBranch size={24} />}
      columns={columnsOf(keyName)}
      textOf={({ name, git_url: url, git_branch: branch }) => `${name} ${url} ${branch}`}
    />
  );
}

const columnsOf = (keyName: (id: number) => string): Column<Repository>[] => [
  column(
    'url',
    t('repository.url'),
    { wide: true, from: 'small', sortBy: ({ git_url: url }) => url },
    (repository) => <Place {...repository} />,
  ),
  column('key', t('repository.ssh_key'), { from: 'medium' }, ({ ssh_key_id: id }) => keyName(id)),
];

function Place({ git_url: url, git_branch: branch }: Repository) {
  return (
    <span className={`row gap-8 min-w-0 ${classes.place}`} title={url}>
      <span className="mono">{url}</span>
      {isPlainHttp(url) && (
        <Tooltip label={t('repository.http_warning')}>
          <span className="inline-flex flex-none color-warning">
            <IconLockOpen size={16} aria-hidden="true" />
            <VisuallyHidden>{t('repository.http_warning')}</VisuallyHidden>
          </span>
        </Tooltip>
      )}
      {urlType(url) !== 'local' && (
        <span
          className="inline-flex items-center gap-3 flex-none soft overflow-hidden"
          style={{ maxWidth: '40%', textOverflow: 'ellipsis' }}
        >
          <IconGitBranch size={14} aria-hidden="true" />
          {branch}
        </span>
      )}
    </span>
  );
}
