import type { ComponentType } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import type { NewResource } from '../../features/templates/form/template-fields-props.ts';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';

interface DialogProps {
  projectId: number;
  edit: 'new' | null;
  onClose: () => void;
  onMade: (id: number) => void;
}

const dialogs: Record<NewResource, ComponentType<DialogProps>> = {
  key: lazyExport(() => import('../../features/keys/key-dialog.tsx'), 'KeyDialog'),
  repository: lazyExport(
    () => import('../../features/repositories/repository-dialog.tsx'),
    'RepositoryDialog',
  ),
  inventory: lazyExport(
    () => import('../../features/inventories/inventory-dialog.tsx'),
    'InventoryDialog',
  ),
  environment: lazyExport(
    () => import('../../features/environments/environment-dialog.tsx'),
    'EnvironmentDialog',
  ),
  execution_environment: lazyExport(
    () => import('../../features/execution-environments/execution-environment-dialog.tsx'),
    'ExecutionEnvironmentDialog',
  ),
};

interface Props extends Omit<DialogProps, 'edit'> {
  kind: NewResource;
  isOpened: boolean;
}

export function NewResourceDialog({ kind, isOpened, ...place }: Props) {
  const Dialog = dialogs[kind];
  return (
    <OnceOpened opened={isOpened}>
      <Dialog edit={isOpened ? 'new' : null} {...place} />
    </OnceOpened>
  );
}
