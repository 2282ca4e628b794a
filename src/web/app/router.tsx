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
import { isSignedIn, localAddress } from '../lib/session-cookie.ts';
import { ErrorPage, NotFoundPage } from './error-page.tsx';
import { FrameBones } from './frame-bones.tsx';
import { listSearch, positive, text } from './list-search.ts';

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

const keysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'keys',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./keys.tsx'), 'Keys'),
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
        templatesRoute.addChildren([newTemplateRoute, newTemplateFormRoute]),
        templateRoute,
        viewRoute.addChildren([
          viewIndexRoute,
          viewTemplatesRoute.addChildren([newViewTemplateRoute, newViewTemplateFormRoute]),
          viewTemplateRoute,
        ]),
        keysRoute,
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
