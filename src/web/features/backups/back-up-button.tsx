import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconDownload } from '@tabler/icons-react';
import type { Backup } from '#shared/api/backups.ts';
import { toastFailure } from '../../resources/use-confirmed.tsx';
import { t } from '../../lib/i18n.ts';
import { readBackup } from './backups.queries.ts';

export function BackUpButton({ projectId }: { projectId: number }) {
  const backUp = useMutation({
    ...readBackup(),
    onSuccess: (backup) => save(projectId, backup),
    onError: toastFailure,
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={backUp.isPending}
      onClick={() => backUp.mutate({ params: { project_id: projectId } })}
    >
      {t('backup.action')}
    </Button>
  );
}

function save(projectId: number, backup: Backup): void {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const text = `${JSON.stringify(backup, null, 2)}\n`;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = `backup_${projectId}_${time}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
