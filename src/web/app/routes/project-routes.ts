// The routes of a project; those of its templates are in template-routes.ts.

import { createRoute, redirect } from '@tanstack/react-router';
import { deliveryStatuses } from '#shared/alerts.ts';
import { type GrantedType, grantedTypes } from '#shared/grants/granted-types.ts';
import { hostOutcomes } from '#shared/api/hosts.ts';
import { dayRanges } from '#shared/api/stats.ts';
import { hostSorts } from '../../features/hosts/hosts.queries.ts';
import { statusFilters } from '../../features/tasks/task-filter.ts';
import { eventParams } from '../address/event-address.ts';
import { calendarParams } from '../address/calendar-address.ts';
import { idParam, projectRoute } from './frame-routes.ts';
import { listParams, repositoriesParams } from '../address/list-address.ts';
import { day, edited, oneOf, positive, searchOf, text, trail } from '../address/search-params.ts';
import { lazyScreen } from './lazy-screen.ts';

export const projectIndexRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/project/$projectId/history', params, search, replace: true });
  },
});

export const elsewhereInProjectRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '$',
  beforeLoad: ({ params: { projectId }, search }) => {
    throw redirect({
      to: '/project/$projectId/history',
      params: { projectId },
      search,
      replace: true,
    });
  },
});

export const historyRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'history',
  validateSearch: searchOf({
    before: trail,
    status: oneOf(statusFilters),
    template: positive,
    user: positive,
    from: day,
    to: day,
    q: text,
    days: oneOf(dayRanges),
  }),
  component: lazyScreen(() => import('./frame.ts'), 'History'),
});

export const activityRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'activity',
  validateSearch: searchOf(eventParams),
  component: lazyScreen(() => import('../project/activity.tsx'), 'Activity'),
});

export const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings',
  component: lazyScreen(() => import('../project/settings.tsx'), 'Settings'),
});

export const taskRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'tasks/$taskId',
  params: idParam('taskId'),
  beforeLoad: ({ params }) => {
    if (params.taskId > 0) return;
    throw redirect({ to: '/project/$projectId/history', params, replace: true });
  },
  component: lazyScreen(() => import('../project/task.tsx'), 'TaskScreen'),
});

export const inventoryRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'inventory',
  validateSearch: searchOf(listParams),
  component: lazyScreen(() => import('../project/inventories.tsx'), 'Inventories'),
});

export const hostsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'hosts',
  validateSearch: searchOf({
    q: text,
    outcome: oneOf(hostOutcomes),
    as: oneOf(['map']),
    sort: oneOf(hostSorts),
    before: trail,
  }),
  component: lazyScreen(() => import('../project/hosts.tsx'), 'Hosts'),
});

export const hostRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'hosts/$host',
  validateSearch: searchOf({ before: trail }),
  component: lazyScreen(() => import('../project/hosts.tsx'), 'HostDetail'),
});

export const environmentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'environment',
  validateSearch: searchOf(listParams),
  component: lazyScreen(() => import('../project/environments.tsx'), 'Environments'),
});

export const executionEnvironmentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'execution-environments',
  validateSearch: searchOf(listParams),
  component: lazyScreen(
    () => import('../project/execution-environments.tsx'),
    'ExecutionEnvironments',
  ),
});

export const keysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'keys',
  validateSearch: searchOf(listParams),
  component: lazyScreen(() => import('../project/keys/keys.tsx'), 'Keys'),
});

export const hostConfigsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'keys/hosts',
  validateSearch: searchOf(listParams),
  component: lazyScreen(() => import('../project/keys/host-configs.tsx'), 'HostConfigs'),
});

export const repositoriesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'repositories',
  validateSearch: searchOf(repositoriesParams),
  component: lazyScreen(() => import('../project/repositories.tsx'), 'Repositories'),
});

export const integrationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'integrations',
  validateSearch: searchOf(listParams),
  component: lazyScreen(() => import('../project/integrations.tsx'), 'Integrations'),
});

export const integrationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'integration/$integrationId',
  params: idParam('integrationId'),
  validateSearch: searchOf({
    tab: oneOf(['deliveries', 'try']),
    edit: edited,
    value: edited,
    matcher: edited,
    delivery: positive,
  }),
  beforeLoad: ({ params, search: { t } }) => {
    if (params.integrationId > 0) return;
    const to = '/project/$projectId/integrations';
    throw redirect({ to, params, search: { t }, replace: true });
  },
  component: lazyScreen(() => import('../project/integration.tsx'), 'IntegrationDetail'),
});

export const alertsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'alerts',
  validateSearch: searchOf({
    ...listParams,
    tab: oneOf(['sent']),
    status: oneOf(deliveryStatuses),
    before: trail,
  }),
  component: lazyScreen(() => import('../project/alerts.tsx'), 'Alerts'),
});

export const schedulesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'schedules',
  validateSearch: searchOf({ ...listParams, ...calendarParams }),
  component: lazyScreen(() => import('../project/schedules.tsx'), 'Schedules'),
});

export const scheduleRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'schedules/$scheduleId',
  params: idParam('scheduleId'),
  validateSearch: searchOf({ edit: edited, before: trail }),
  beforeLoad: ({ params, search: { t } }) => {
    if (params.scheduleId > 0) return;
    throw redirect({ to: '/project/$projectId/schedules', params, search: { t }, replace: true });
  },
  component: lazyScreen(() => import('../project/schedule.tsx'), 'ScheduleDetail'),
});

export const teamRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'team',
  component: lazyScreen(() => import('../project/team/team.tsx'), 'Team'),
});

export const projectRolesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'team/roles',
  validateSearch: searchOf(listParams),
  component: lazyScreen(() => import('../project/team/roles.tsx'), 'Roles'),
});

export const teamAccessRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'team/access',
  validateSearch: searchOf({
    before: trail,
    user: positive,
    type: oneOf(grantedTypes),
    q: text,
    edit: edited,
  }),
  component: lazyScreen(() => import('../project/team/access.tsx'), 'TeamAccess'),
});

export const personAccessRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'team/access/$userId',
  params: idParam('userId'),
  component: lazyScreen(() => import('../project/team/person-access.tsx'), 'PersonAccess'),
});

const grantedType = (given: string): GrantedType =>
  grantedTypes.find((type) => type === given) ?? 'template';

export const objectAccessRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'access/$type/$objectId',
  params: {
    parse: ({ type, objectId }: { type: string; objectId: string }) => ({
      type: grantedType(type),
      ...idParam('objectId').parse({ objectId }),
    }),
    stringify: ({ type, objectId }: { type: GrantedType; objectId: number }) => ({
      type,
      objectId: String(objectId),
    }),
  },
  validateSearch: searchOf({ edit: edited }),
  component: lazyScreen(() => import('../project/team/object-access.tsx'), 'ObjectAccess'),
});
