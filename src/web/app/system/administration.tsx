// The screens for administrators that need nothing but their address.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { AppList } from '../../features/apps/app-list.tsx';
import { NewRunner, RunnerList } from '../../features/runners/runner-list.tsx';
import { HealthView } from '../../features/system/health-view.tsx';
import { ActiveTaskList } from '../../features/tasks/lists/active-task-list.tsx';
import { t } from '../../lib/i18n.ts';
import { AdminPage } from './admin-page.tsx';

export function ActiveTasks() {
  const { page = 1 } = useSearch({ from: '/app/tasks' });
  const navigate = useNavigate({ from: '/tasks' });
  return (
    <AdminPage title={t('admin.tasks')}>
      <ActiveTaskList
        page={page}
        onPage={(next) => void navigate({ search: (search) => ({ ...search, page: next }) })}
      />
    </AdminPage>
  );
}

export function Runners() {
  return (
    <AdminPage title={t('admin.runners')} actions={<NewRunner projectId={null} />}>
      <RunnerList projectId={null} />
    </AdminPage>
  );
}

export function Apps() {
  return (
    <AdminPage title={t('admin.apps')}>
      <AppList />
    </AdminPage>
  );
}

export function SystemHealth() {
  return (
    <AdminPage title={t('admin.health')}>
      <HealthView />
    </AdminPage>
  );
}
