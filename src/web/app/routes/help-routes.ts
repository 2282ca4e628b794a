// The routes of the guide, which need no session.

import { createRoute, notFound } from '@tanstack/react-router';
import { importWhenServerIsBack } from '../../lib/server-back.ts';
import { ErrorPage } from '../shell/error-page.tsx';
import { rootRoute } from './frame-routes.ts';
import { lazyScreen } from './lazy-screen.ts';

async function loadPage(name: string) {
  const code = await importWhenServerIsBack(() => import('../help/load-page.ts'));
  return code.loadPage(name);
}

const common = {
  getParentRoute: () => rootRoute,
  validateSearch: ({ q }: Record<string, unknown>): { q?: string | undefined } => ({
    q: typeof q === 'string' || typeof q === 'number' ? String(q) : undefined,
  }),
  component: lazyScreen(() => import('../help/help.tsx'), 'Help'),
  errorComponent: ErrorPage,
};

export const helpRoute = createRoute({
  ...common,
  path: '/help',
  loader: () => loadPage(''),
});

export const helpPageRoute = createRoute({
  ...common,
  path: '/help/$page',
  loader: async ({ params }) => {
    const page = await loadPage(params.page);
    if (page === null) throw notFound();
    return page;
  },
});
