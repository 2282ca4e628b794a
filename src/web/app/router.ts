// Every screen and its address.

import { createRouter } from '@tanstack/react-router';
import * as admin from './routes/admin-routes.ts';
import * as frame from './routes/frame-routes.ts';
import * as help from './routes/help-routes.ts';
import * as project from './routes/project-routes.ts';
import * as template from './routes/template-routes.ts';
import * as workflow from './routes/workflow-routes.ts';

export const router = createRouter({
  routeTree: frame.rootRoute.addChildren([
    frame.signInRoute,
    frame.secondFactorRoute,
    help.helpRoute,
    help.helpPageRoute,
    frame.appRoute.addChildren([
      frame.baseRoute,
      frame.pickerRoute,
      frame.newProjectRoute,
      admin.overviewRoute,
      admin.systemEventsRoute,
      admin.activeTasksRoute,
      admin.runnersRoute,
      admin.installationEnvironmentsRoute,
      admin.installationRolesRoute,
      admin.identityRoute,
      admin.appsRoute,
      admin.healthRoute,
      admin.usersRoute,
      ...admin.accountRoutes,
      frame.projectRoute.addChildren([
        project.projectIndexRoute,
        project.historyRoute,
        project.activityRoute,
        project.settingsRoute,
        template.templatesRoute.addChildren([
          template.newTemplateRoute,
          template.newTemplateFormRoute,
        ]),
        template.templateRoute,
        template.viewRoute.addChildren([
          template.viewIndexRoute,
          template.viewTemplatesRoute.addChildren([
            template.newViewTemplateRoute,
            template.newViewTemplateFormRoute,
          ]),
          template.viewTemplateRoute,
        ]),
        workflow.workflowsRoute,
        workflow.newWorkflowRoute,
        workflow.workflowRoute,
        workflow.editWorkflowRoute,
        workflow.workflowRunsRoute,
        workflow.workflowRunRoute,
        project.schedulesRoute,
        project.scheduleRoute,
        project.taskRoute,
        project.inventoryRoute,
        project.hostsRoute,
        project.hostRoute,
        project.environmentRoute,
        project.executionEnvironmentsRoute,
        project.keysRoute,
        project.hostConfigsRoute,
        project.repositoriesRoute,
        project.integrationsRoute,
        project.integrationRoute,
        project.alertsRoute,
        project.teamRoute,
        project.projectRolesRoute,
        project.teamAccessRoute,
        project.personAccessRoute,
        project.objectAccessRoute,
        project.elsewhereInProjectRoute,
      ]),
    ]),
  ]),
  defaultPreload: 'intent',
  // Otherwise the router shows a skeleton for at least half a second.
  defaultPendingMinMs: 0,
  // The query cache decides which data is stale.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
