// The routes outside projects, and the parents of the routes inside.

import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { isSignedIn, localAddress } from '../../lib/session-cookie.ts';
import { ErrorPage, NotFoundPage } from '../shell/error-page.tsx';
import { FrameSkeleton } from '../shell/frame-skeleton.tsx';
import { parseView } from '../../features/tasks/timeline/time-view.ts';
import { oneOf, positive, searchOf, text, textThat } from '../address/search-params.ts';
import { lazyScreen } from './lazy-screen.ts';

const idOf = (param: string): number => (/^[1-9]\d{0,14}$/.test(param) ? Number(param) : 0);

/** The option `params` of a route whose path has an id; 0 for a text that is no id. */
export const idParam = <Name extends string>(name: Name) => ({
  parse: (params: Record<Name, string>) => ({ [name]: idOf(params[name]) }) as Record<Name, number>,
  stringify: (params: Record<Name, number>) =>
    ({ [name]: String(params[name]) }) as Record<Name, string>,
});

const lines = (given: unknown): number | string | undefined =>
  typeof given === 'string' ? given : positive(given);

// `t` opens the log of a task over any screen, `run` the launch dialog of a template, `launch` that
// of a workflow; `line` marks lines of the log; `view` shows hosts, tasks or a timeline in place of the
// log, filtered by `host` or `section`; `lanes` draws the timeline by host, and `zoom` is
// its visible part in milliseconds.
export const rootRoute = createRootRoute({
  validateSearch: searchOf({
    t: positive,
    run: positive,
    launch: positive,
    line: lines,
    view: oneOf(['hosts', 'tasks', 'timeline', 'plan']),
    host: text,
    section: positive,
    lanes: oneOf(['hosts']),
    zoom: textThat((given) => parseView(given) !== null),
  }),
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
});

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/login',
  validateSearch: searchOf({ next: text, error: text, local: text }),
  beforeLoad: ({ search: { next, error: _error, local: _local, ...search } }) => {
    if (!isSignedIn()) return;
    const address = localAddress(next);
    throw address ? redirect({ href: address }) : redirect({ to: '/', search });
  },
  component: lazyScreen(() => import('../session/sign-in.tsx'), 'SignIn'),
});

export const secondFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/second-factor',
  validateSearch: searchOf({ next: text }),
  beforeLoad: () => {
    if (!isSignedIn()) throw redirect({ to: '/auth/login', search: {}, replace: true });
  },
  loader: async () => (await import('./frame.ts')).loadSetup(),
  component: lazyScreen(() => import('../session/second-factor-setup.tsx'), 'SecondFactorSetup'),
  errorComponent: ErrorPage,
});

export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: ({ location }) => {
    if (isSignedIn()) return;
    const next = location.href === '/' ? undefined : location.href;
    throw redirect({ to: '/auth/login', search: { next }, replace: true });
  },
  loader: async ({ location }) => {
    const { isOpen } = await (await import('./frame.ts')).loadApp();
    if (isOpen) return;
    const next = location.href === '/' ? undefined : location.href;
    throw redirect({ to: '/second-factor', search: { next }, replace: true });
  },
  component: lazyScreen(() => import('./frame.ts'), 'Shell'),
  pendingComponent: FrameSkeleton,
  pendingMs: 200,
  errorComponent: ErrorPage,
});

// `/` and `/project` lead to the project that was open last, else to the first one, else to the
// form of a new one.
const pick = async () => {
  const projectId = await (await import('./frame.ts')).pickProject();
  throw projectId === undefined
    ? redirect({ to: '/project/new', replace: true })
    : redirect({
        to: '/project/$projectId',
        params: { projectId },
        search: (search) => search,
        replace: true,
      });
};

export const baseRoute = createRoute({ getParentRoute: () => appRoute, path: '/', loader: pick });

export const pickerRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/project',
  loader: pick,
});

export const newProjectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/project/new',
  component: lazyScreen(() => import('../system/new-project.tsx'), 'NewProject'),
});

export const projectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/project/$projectId',
  params: idParam('projectId'),
  beforeLoad: ({ params, search }) => {
    if (params.projectId === 0) throw redirect({ to: '/', search, replace: true });
  },
  loader: async ({ params, cause }) =>
    (await import('./frame.ts')).openProject(params.projectId, cause === 'preload'),
  component: lazyScreen(() => import('./frame.ts'), 'ProjectFrame'),
  errorComponent: ErrorPage,
});
