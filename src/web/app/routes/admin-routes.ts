// The routes of all projects of a user, of the user's own account, and of the screens for administrators.

import { createRoute } from '@tanstack/react-router';
import { eventParams } from '../address/event-address.ts';
import { appRoute } from './frame-routes.ts';
import { listParams } from '../address/list-address.ts';
import { edited, positive, searchOf } from '../address/search-params.ts';
import { lazyScreen } from './lazy-screen.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/overview',
  component: lazyScreen(() => import('../system/overview.tsx'), 'Overview'),
});

export const usersRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/users',
  validateSearch: searchOf(listParams),
  component: lazyScreen(() => import('../system/users.tsx'), 'Users'),
});

export const accountRoutes = (['/account', '/account/sessions', '/account/tokens'] as const).map(
  (path) =>
    createRoute({
      getParentRoute: () => appRoute,
      path,
      component: lazyScreen(() => import('../system/account.tsx'), 'Account'),
    }),
);

export const systemEventsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/events',
  validateSearch: searchOf(eventParams),
  component: lazyScreen(() => import('../system/system-events.tsx'), 'SystemEvents'),
});

export const activeTasksRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/tasks',
  validateSearch: searchOf({ page: positive }),
  component: lazyScreen(() => import('../system/administration.tsx'), 'ActiveTasks'),
});

export const runnersRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/runners',
  component: lazyScreen(() => import('../system/administration.tsx'), 'Runners'),
});

export const installationEnvironmentsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/execution-environments',
  validateSearch: searchOf(listParams),
  component: lazyScreen(
    () => import('../system/installation-environments.tsx'),
    'InstallationEnvironments',
  ),
});

export const installationRolesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/roles',
  validateSearch: searchOf(listParams),
  component: lazyScreen(() => import('../system/installation-roles.tsx'), 'InstallationRoles'),
});

export const identityRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/identity',
  validateSearch: searchOf({ edit: edited }),
  component: lazyScreen(() => import('../system/identity.tsx'), 'Identity'),
});

export const appsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/apps',
  component: lazyScreen(() => import('../system/administration.tsx'), 'Apps'),
});

export const healthRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/health',
  component: lazyScreen(() => import('../system/administration.tsx'), 'SystemHealth'),
});
