// Every screen and its address.

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  RouterProvider,
} from '@tanstack/react-router';
import { z } from 'zod';
import { deliveryStatuses } from '#shared/alerts.ts';
import { objectTypes } from '#shared/events.ts';
import { isCode, isDay } from '../features/events/event-filter.ts';
import { statusFilters } from '../features/tasks/task-filter.ts';
import { isSignedIn, localAddress } from '../lib/session-cookie.ts';
import { ErrorPage, NotFoundPage } from './error-page.tsx';
import { FrameBones } from './frame-bones.tsx';
import { edited, listSearch, positive, repositoriesSearch, text, trail } from './list-search.ts';

const isId = (param: string): boolean => /^[1-9]\d{0,14}$/.test(param);
const lines = z.union([z.number().int().positive(), z.string()]).optional().catch(undefined);

// `t` opens the log of a task over any screen, `run` the dialog that launches a template; `line`
// marks lines of that log, or of the one on the page.
const rootRoute = createRootRoute({
  validateSearch: z.object({ t: positive, run: positive, line: lines }),
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/login',
  validateSearch: z.object({ next: text }),
  beforeLoad: ({ search: { next, ...search } }) => {
    if (!isSignedIn()) return;
    const address = localAddress(next);
    throw address ? redirect({ href: address }) : redirect({ to: '/', search });
  },
  component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignIn'),
});

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: ({ location }) => {
    if (isSignedIn()) return;
    const next = location.href === '/' ? undefined : location.href;
    throw redirect({ to: '/auth/login', search: { next }, replace: true });
  },
  loader: async () => (await import('./load-app.ts')).loadApp(),
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
  pendingComponent: FrameBones,
  pendingMs: 200,
  errorComponent: ErrorPage,
});

// Both addresses lead to the project that was open last, the first one, or to a new one.
const pick = async () => {
  const projectId = await (await import('./load-app.ts')).pickProject();
  throw projectId === undefined
    ? redirect({ to: '/project/new', replace: true })
    : redirect({
        to: '/project/$projectId',
        params: { projectId },
        search: (search) => search,
        replace: true,
      });
};

const baseRoute = createRoute({ getParentRoute: () => appRoute, path: '/', loader: pick });
const pickerRoute = createRoute({ getParentRoute: () => appRoute, path: '/project', loader: pick });

const newProjectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/project/new',
  component: lazyRouteComponent(() => import('./new-project.tsx'), 'NewProject'),
});

const usersRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/users',
  validateSearch: listSearch.extend({ page: positive }),
  component: lazyRouteComponent(() => import('./users.tsx'), 'Users'),
});

const accountRoutes = (['/account', '/account/sessions', '/account/tokens'] as const).map((path) =>
  createRoute({
    getParentRoute: () => appRoute,
    path,
    component: lazyRouteComponent(() => import('./account.tsx'), 'Account'),
  }),
);

const projectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/project/$projectId',
  params: {
    parse: ({ projectId }) => ({ projectId: isId(projectId) ? Number(projectId) : 0 }),
    stringify: ({ projectId }) => ({ projectId: String(projectId) }),
  },
  beforeLoad: ({ params, search }) => {
    if (params.projectId === 0) throw redirect({ to: '/', search, replace: true });
  },
  loader: async ({ params }) => (await import('./load-app.ts')).openProject(params.projectId),
  component: lazyRouteComponent(() => import('./project-frame.tsx'), 'ProjectFrame'),
  errorComponent: ErrorPage,
});

const projectIndexRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/project/$projectId/history', params, search, replace: true });
  },
});

const elsewhereInProjectRoute = createRoute({
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

const historyRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'history',
  validateSearch: z.object({
    before: trail,
    status: z.enum(statusFilters).optional().catch(undefined),
    template: positive,
    user: positive,
    q: text,
  }),
  component: lazyRouteComponent(() => import('./history.tsx'), 'History'),
});

const eventSearch = z.object({
  before: trail,
  code: z.string().refine(isCode).optional().catch(undefined),
  type: z.enum(objectTypes).optional().catch(undefined),
  user: positive,
  from: z.string().refine(isDay).optional().catch(undefined),
  to: z.string().refine(isDay).optional().catch(undefined),
  q: text,
});

const activityRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'activity',
  validateSearch: eventSearch,
  component: lazyRouteComponent(() => import('./activity.tsx'), 'Activity'),
});

const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./settings.tsx'), 'Settings'),
});

// Templates stand in their project, and once more in each view: the same screens, so that going
// from view to view changes nothing but the rows.
const templatesScreen = {
  validateSearch: listSearch.extend({ copy: positive }),
  component: lazyRouteComponent(() => import('./templates.tsx'), 'Templates'),
};
const templateScreen = {
  validateSearch: z.object({ page: positive, edit: positive, copy: positive }),
  component: lazyRouteComponent(() => import('./template.tsx'), 'TemplateDetail'),
};
const viewParam = {
  parse: ({ viewId }: { viewId: string }) => ({ viewId: isId(viewId) ? Number(viewId) : 0 }),
  stringify: ({ viewId }: { viewId: number }) => ({ viewId: String(viewId) }),
};
const templateParam = {
  parse: ({ templateId }: { templateId: string }) => ({
    templateId: isId(templateId) ? Number(templateId) : 0,
  }),
  stringify: ({ templateId }: { templateId: number }) => ({ templateId: String(templateId) }),
};

const templatesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'templates',
  ...templatesScreen,
});

const newTemplateRoute = createRoute({
  getParentRoute: () => templatesRoute,
  path: 'new',
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/project/$projectId/templates/new/edit', params, search, replace: true });
  },
});

/** The list shows the form over itself. */
const newTemplateFormRoute = createRoute({
  getParentRoute: () => templatesRoute,
  path: 'new/edit',
});

const templateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'templates/$templateId',
  params: templateParam,
  beforeLoad: ({ params, search: { t } }) => {
    if (params.templateId > 0) return;
    throw redirect({ to: '/project/$projectId/templates', params, search: { t }, replace: true });
  },
  ...templateScreen,
});

const viewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'views/$viewId',
  params: viewParam,
  beforeLoad: ({ params: { projectId, viewId }, search: { t } }) => {
    if (viewId > 0) return;
    throw redirect({
      to: '/project/$projectId/templates',
      params: { projectId },
      search: { t },
      replace: true,
    });
  },
});

const viewIndexRoute = createRoute({
  getParentRoute: () => viewRoute,
  path: '/',
  beforeLoad: ({ params, search }) => {
    const to = '/project/$projectId/views/$viewId/templates';
    throw redirect({ to, params, search, replace: true });
  },
});

const viewTemplatesRoute = createRoute({
  getParentRoute: () => viewRoute,
  path: 'templates',
  ...templatesScreen,
});

const newViewTemplateRoute = createRoute({
  getParentRoute: () => viewTemplatesRoute,
  path: 'new',
  beforeLoad: ({ params, search }) => {
    const to = '/project/$projectId/views/$viewId/templates/new/edit';
    throw redirect({ to, params, search, replace: true });
  },
});

const newViewTemplateFormRoute = createRoute({
  getParentRoute: () => viewTemplatesRoute,
  path: 'new/edit',
});

const viewTemplateRoute = createRoute({
  getParentRoute: () => viewRoute,
  path: 'templates/$templateId',
  params: templateParam,
  beforeLoad: ({ params: { templateId, ...params }, search: { t } }) => {
    if (templateId > 0) return;
    const to = '/project/$projectId/views/$viewId/templates';
    throw redirect({ to, params, search: { t }, replace: true });
  },
  ...templateScreen,
});

const taskRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'tasks/$taskId',
  params: {
    parse: ({ taskId }) => ({ taskId: isId(taskId) ? Number(taskId) : 0 }),
    stringify: ({ taskId }) => ({ taskId: String(taskId) }),
  },
  beforeLoad: ({ params }) => {
    if (params.taskId > 0) return;
    throw redirect({ to: '/project/$projectId/history', params, replace: true });
  },
  component: lazyRouteComponent(() => import('./task.tsx'), 'TaskScreen'),
});

const inventoryRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'inventory',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./inventories.tsx'), 'Inventories'),
});

const environmentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'environment',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./environments.tsx'), 'Environments'),
});

const keysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'keys',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./keys.tsx'), 'Keys'),
});

const repositoriesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'repositories',
  validateSearch: repositoriesSearch,
  component: lazyRouteComponent(() => import('./repositories.tsx'), 'Repositories'),
});

const integrationsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'integrations',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./integrations.tsx'), 'Integrations'),
});

const integrationRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'integration/$integrationId',
  params: {
    parse: ({ integrationId }) => ({
      integrationId: isId(integrationId) ? Number(integrationId) : 0,
    }),
    stringify: ({ integrationId }) => ({ integrationId: String(integrationId) }),
  },
  validateSearch: z.object({
    tab: z.enum(['deliveries', 'try']).optional().catch(undefined),
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
  component: lazyRouteComponent(() => import('./integration.tsx'), 'IntegrationDetail'),
});

const alertsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'alerts',
  validateSearch: listSearch.extend({
    tab: z.enum(['sent']).optional().catch(undefined),
    status: z.enum(deliveryStatuses).optional().catch(undefined),
    before: trail,
  }),
  component: lazyRouteComponent(() => import('./alerts.tsx'), 'Alerts'),
});

const schedulesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'schedules',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./schedules.tsx'), 'Schedules'),
});

const scheduleRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'schedules/$scheduleId',
  params: {
    parse: ({ scheduleId }) => ({ scheduleId: isId(scheduleId) ? Number(scheduleId) : 0 }),
    stringify: ({ scheduleId }) => ({ scheduleId: String(scheduleId) }),
  },
  validateSearch: z.object({ edit: edited, before: trail }),
  beforeLoad: ({ params, search: { t } }) => {
    if (params.scheduleId > 0) return;
    throw redirect({ to: '/project/$projectId/schedules', params, search: { t }, replace: true });
  },
  component: lazyRouteComponent(() => import('./schedule.tsx'), 'ScheduleDetail'),
});

const teamRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'team',
  component: lazyRouteComponent(() => import('./team.tsx'), 'Team'),
});

const systemEventsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/events',
  validateSearch: eventSearch,
  component: lazyRouteComponent(() => import('./system-events.tsx'), 'SystemEvents'),
});

const activeTasksRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/tasks',
  validateSearch: z.object({ page: positive }),
  component: lazyRouteComponent(() => import('./administration.tsx'), 'ActiveTasks'),
});

const runnersRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/runners',
  component: lazyRouteComponent(() => import('./administration.tsx'), 'Runners'),
});

const appsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/apps',
  component: lazyRouteComponent(() => import('./administration.tsx'), 'Apps'),
});

const healthRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/health',
  component: lazyRouteComponent(() => import('./administration.tsx'), 'SystemHealth'),
});

const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    appRoute.addChildren([
      baseRoute,
      pickerRoute,
      newProjectRoute,
      systemEventsRoute,
      activeTasksRoute,
      runnersRoute,
      appsRoute,
      healthRoute,
      usersRoute,
      ...accountRoutes,
      projectRoute.addChildren([
        projectIndexRoute,
        historyRoute,
        activityRoute,
        settingsRoute,
        templatesRoute.addChildren([newTemplateRoute, newTemplateFormRoute]),
        templateRoute,
        viewRoute.addChildren([
          viewIndexRoute,
          viewTemplatesRoute.addChildren([newViewTemplateRoute, newViewTemplateFormRoute]),
          viewTemplateRoute,
        ]),
        schedulesRoute,
        scheduleRoute,
        taskRoute,
        inventoryRoute,
        environmentRoute,
        keysRoute,
        repositoriesRoute,
        integrationsRoute,
        integrationRoute,
        alertsRoute,
        teamRoute,
        elsewhereInProjectRoute,
      ]),
    ]),
  ]),
  defaultPreload: 'intent',
  // The query cache decides what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

export function Router() {
  return <RouterProvider router={router} />;
}
