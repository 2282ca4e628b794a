import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { IconFingerprint } from '@tabler/icons-react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { RepositoryList } from '../../features/repositories/repository-list.tsx';
import { t } from '../../lib/i18n.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { useAccess } from '../session/access.ts';
import { useListProps } from '../address/list-address.ts';

const HostKeysDialog = lazyExport(
  () => import('../../features/host-keys/host-keys-dialog.tsx'),
  'HostKeysDialog',
);

export function Repositories() {
  const from = '/app/project/$projectId/repositories' as const;
  const { hosts = false } = useSearch({ from });
  const navigate = useNavigate({ from: '/project/$projectId/repositories' });
  const { address, ...shared } = useListProps('repository.edit');
  return (
    <>
      <RepositoryList
        key={shared.projectId}
        {...shared}
        address={address}
        moreActions={
          <Button
            variant="default"
            leftSection={<IconFingerprint size={16} />}
            renderRoot={(props) => (
              <Link to="." search={(search) => ({ ...search, hosts: true })} {...props} />
            )}
          >
            {t('host_key.title')}
          </Button>
        }
      />
      <OnceOpened opened={hosts}>
        <HostKeysDialog
          projectId={shared.projectId}
          mayManage={useAccess(shared.projectId)('host_key.edit')}
          opened={hosts}
          onClose={() =>
            void navigate({ search: (search) => ({ ...search, hosts: undefined }), replace: true })
          }
        />
      </OnceOpened>
    </>
  );
}
