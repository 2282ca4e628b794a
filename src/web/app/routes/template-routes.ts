// The routes of templates: once in their project, and once in each view.

import { createRoute, redirect } from '@tanstack/react-router';
import { importWhenServerIsBack } from '../../lib/server-back.ts';
import { rowKinds, templateStatuses } from '../../features/templates/list/template-status.ts';
import { idParam, projectRoute } from './frame-routes.ts';
import { listParams } from '../address/list-address.ts';
import { oneOf, positive, searchOf } from '../address/search-params.ts';
import { lazyScreen } from './lazy-screen.ts';

const loadScreens = () => import('../project/template-screens.ts');

// Both routes share the screen, so that a change of the view changes only the rows.
const templatesScreen = {
  validateSearch: searchOf({
    ...listParams,
    copy: positive,
    status: oneOf(templateStatuses),
    kind: oneOf(rowKinds),
    as: oneOf(['board']),
  }),
  // Prefetches the lists while the chunk of the screen loads, without waiting for them.
  loader: async ({ params, cause }: { params: { projectId: number }; cause: string }) => {
    const { readTemplates } = await importWhenServerIsBack(loadScreens);
    await readTemplates(params.projectId, cause === 'preload');
  },
  component: lazyScreen(loadScreens, 'Templates'),
};

const templateScreen = {
  validateSearch: searchOf({ page: positive, edit: positive, copy: positive }),
  component: lazyScreen(loadScreens, 'TemplateDetail'),
};

export const templatesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'templates',
  ...templatesScreen,
});

export const newTemplateRoute = createRoute({
  getParentRoute: () => templatesRoute,
  path: 'new',
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/project/$projectId/templates/new/edit', params, search, replace: true });
  },
});

export const newTemplateFormRoute = createRoute({
  getParentRoute: () => templatesRoute,
  path: 'new/edit',
});

export const templateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'templates/$templateId',
  params: idParam('templateId'),
  beforeLoad: ({ params, search: { t } }) => {
    if (params.templateId > 0) return;
    throw redirect({ to: '/project/$projectId/templates', params, search: { t }, replace: true });
  },
  ...templateScreen,
});

export const viewRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'views/$viewId',
  params: idParam('viewId'),
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

export const viewIndexRoute = createRoute({
  getParentRoute: () => viewRoute,
  path: '/',
  beforeLoad: ({ params, search }) => {
    const to = '/project/$projectId/views/$viewId/templates';
    throw redirect({ to, params, search, replace: true });
  },
});

export const viewTemplatesRoute = createRoute({
  getParentRoute: () => viewRoute,
  path: 'templates',
  ...templatesScreen,
});

export const newViewTemplateRoute = createRoute({
  getParentRoute: () => viewTemplatesRoute,
  path: 'new',
  beforeLoad: ({ params, search }) => {
    const to = '/project/$projectId/views/$viewId/templates/new/edit';
    throw redirect({ to, params, search, replace: true });
  },
});

export const newViewTemplateFormRoute = createRoute({
  getParentRoute: () => viewTemplatesRoute,
  path: 'new/edit',
});

export const viewTemplateRoute = createRoute({
  getParentRoute: () => viewRoute,
  path: 'templates/$templateId',
  params: idParam('templateId'),
  beforeLoad: ({ params: { templateId, ...params }, search: { t } }) => {
    if (templateId > 0) return;
    const to = '/project/$projectId/views/$viewId/templates';
    throw redirect({ to, params, search: { t }, replace: true });
  },
  ...templateScreen,
});
