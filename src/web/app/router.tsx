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
import { isSignedIn, localAddress } from '../lib/session-cookie.ts';
import { ErrorPage, NotFoundPage } from './error-page.tsx';
import { FrameBones } from './frame-bones.tsx';
import { edited, listSearch, positive, text, trail } from './list-search.ts';

const isId = (param: string): boolean => /^[1-9]\d{0,14}$/.test(param);

// `t` opens the log of a task over any screen, `run` the dialog that launches a template.
const rootRoute = createRootRoute({
  validateSearch: z.object({ t: positive, run: positive }),
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
  validateSearch: z.object({ page: positive }),
  component: lazyRouteComponent(() => import('./history.tsx'), 'History'),
});

const templatesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'templates',
  validateSearch: z.object({ q: text }),
  component: lazyRouteComponent(() => import('./templates.tsx'), 'Templates'),
});

const templateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'templates/$templateId',
  params: {
    parse: ({ templateId }) => ({ templateId: isId(templateId) ? Number(templateId) : 0 }),
    stringify: ({ templateId }) => ({ templateId: String(templateId) }),
  },
  validateSearch: z.object({ page: positive }),
  beforeLoad: ({ params, search: { t } }) => {
    if (params.templateId > 0) return;
    throw redirect({ to: '/project/$projectId/templates', params, search: { t }, replace: true });
  },
  component: lazyRouteComponent(() => import('./template.tsx'), 'TemplateDetail'),
});

const keysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'keys',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./keys.tsx'), 'Keys'),
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

const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    appRoute.addChildren([
      baseRoute,
      pickerRoute,
      newProjectRoute,
      projectRoute.addChildren([
        projectIndexRoute,
        historyRoute,
        templatesRoute,
        templateRoute,
        schedulesRoute,
        scheduleRoute,
        keysRoute,
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
