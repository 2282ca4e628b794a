// Every screen and dialog of the console, in the order in which people would open them.

import type { Example } from './example/example.ts';
import { keyboard, menus } from './tour-menus.ts';
import { at, inProject, menu, press, type Stop } from './tour-stops.ts';

const visitor: Stop[] = [
  { name: 'sign-in', path: () => '/auth/login', for: 'visitor' },
  {
    name: 'sign-in-help',
    path: () => '/auth/login',
    for: 'visitor',
    act: press('sign_in.help.link'),
  },
  { name: 'help', path: () => '/help', for: 'visitor' },
  { name: 'help-page', path: () => '/help/settings', for: 'visitor' },
];

const dashboard: Stop[] = [
  { name: 'history', path: at('history') },
  { name: 'workflow-runs', path: at('workflow_runs') },
  { name: 'activity', path: at('activity') },
  { name: 'settings', path: at('settings'), for: 'owner' },
  {
    name: 'project-delete',
    path: at('settings'),
    for: 'owner',
    act: press('project.delete'),
  },
  { name: 'project-new', path: () => '/project/new', for: 'admin' },
  {
    name: 'project-restore',
    path: at('settings'),
    for: 'admin',
    act: press('restore.action'),
  },
];

const templates: Stop[] = [
  { name: 'templates', path: at('templates') },
  {
    name: 'templates-view',
    path: inProject(({ templates: { view } }) => `views/${view}/templates`),
  },
  {
    name: 'templates-last-tasks',
    path: at('templates'),
    act: press('template.show_last', { name: 'Patch servers' }),
    opens: (page) => page.getByRole('table').nth(1),
  },
  { name: 'templates-columns', path: at('templates'), act: press('list.columns'), opens: menu },
  { name: 'views-edit', path: at('templates'), for: 'resources', act: press('view.edit') },
  { name: 'template-new', path: at('templates/new/edit'), for: 'resources' },
  { name: 'template', path: inProject(({ templates: { patch } }) => `templates/${patch}`) },
  {
    name: 'template-of-view',
    path: inProject(({ templates: { patch, view } }) => `views/${view}/templates/${patch}`),
  },
  {
    name: 'template-edit',
    path: inProject(({ templates: { deploy } }) => `templates/${deploy}?edit=${deploy}`),
    for: 'resources',
  },
  {
    name: 'template-copy',
    path: inProject(({ templates: { patch } }) => `templates/${patch}?copy=${patch}`),
    for: 'resources',
  },
  {
    name: 'survey-variable',
    path: inProject(({ templates: { patch } }) => `templates/${patch}?edit=${patch}`),
    for: 'resources',
    act: async (page) => page.getByRole('button', { name: /^Which servers/ }).click(),
    opens: (page) => page.locator('#launch [aria-expanded="true"]').first(),
  },
  { name: 'templates-board', path: at('templates?as=board') },
  {
    name: 'task-new',
    path: inProject(({ templates: { patch } }) => `templates?run=${patch}`),
    for: 'resources',
  },
  {
    name: 'task-new-deploy',
    path: inProject(({ templates: { deploy } }) => `templates?run=${deploy}`),
    for: 'resources',
  },
];

const ofRun = (search: string) => inProject(({ tasks: { failed } }) => `tasks/${failed}?${search}`);

const tasks: Stop[] = [
  { name: 'task-log', path: inProject(({ tasks: { success } }) => `history?t=${success}`) },
  { name: 'task-log-failed', path: inProject(({ tasks: { failed } }) => `history?t=${failed}`) },
  { name: 'task-log-waiting', path: inProject(({ tasks: { waiting } }) => `history?t=${waiting}`) },
  { name: 'task', path: inProject(({ tasks: { failed } }) => `tasks/${failed}?line=12`) },
  { name: 'task-hosts', path: ofRun('view=hosts') },
  { name: 'task-host', path: ofRun('view=hosts&host=db-1') },
  { name: 'task-tasks', path: ofRun('view=tasks') },
  { name: 'task-task', path: ofRun('view=tasks&section=3') },
  { name: 'task-timeline', path: ofRun('view=timeline') },
  { name: 'task-timeline-hosts', path: ofRun('view=timeline&lanes=hosts') },
];

/** A list with a dialog for a new thing and one for each existing thing. */
const resource = (name: string, id: (example: Example) => number): Stop[] => [
  { name, path: at(name) },
  { name: `${name}-new`, path: at(`${name}?edit=new`), for: 'resources' },
  { name: `${name}-edit`, path: inProject((ids) => `${name}?edit=${id(ids)}`), for: 'resources' },
];

const resources: Stop[] = [
  ...resource('inventory', ({ resources: ids }) => ids.inventory),
  { name: 'hosts', path: at('hosts') },
  { name: 'hosts-map', path: at('hosts?as=map') },
  { name: 'host', path: at('hosts/web-1') },
  ...resource('environment', ({ resources: ids }) => ids.environment),
  ...resource('execution-environments', ({ resources: ids }) => ids.execution),
  {
    name: 'execution-environments-container',
    path: at('execution-environments?edit=new'),
    for: 'resources',
    act: async (page, say) => {
      await page.getByRole('combobox', { name: say('execution_environment.kind.label') }).click();
      const container = say('execution_environment.kind.container');
      await page.getByRole('option', { name: container, exact: true }).click();
    },
    opens: (page) => page.locator('[data-path="image"]'),
  },
  ...resource('keys', ({ resources: ids }) => ids.login),
  {
    name: 'keys-delete-refused',
    path: at('keys'),
    for: 'resources',
    act: press('common.delete_label', { name: 'No key' }),
  },
  {
    name: 'inventory-delete-refused',
    path: at('inventory'),
    for: 'resources',
    act: press('common.delete_label', { name: 'Production' }),
  },
  {
    name: 'environment-delete-refused',
    path: at('environment'),
    for: 'resources',
    act: press('common.delete_label', { name: 'Production' }),
  },
  ...resource('repositories', ({ resources: ids }) => ids.repository),
  { name: 'host-keys', path: at('repositories?hosts=true'), for: 'resources' },
  { name: 'keys-by-host', path: at('keys/hosts'), for: 'resources' },
  { name: 'keys-by-host-new', path: at('keys/hosts?edit=new'), for: 'resources' },
];

const ofWorkflow = (rest = '') =>
  inProject(({ workflows: { workflow } }) => `workflows/${workflow}${rest}`);

const ofWorkflowRun = (rest = '') =>
  inProject(({ workflows: { run } }) => `workflow_runs/${run}${rest}`);

const workflows: Stop[] = [
  { name: 'workflows', path: at('workflows') },
  { name: 'workflow', path: ofWorkflow() },
  { name: 'workflow-new', path: at('workflows/new'), for: 'resources' },
  { name: 'workflow-edit', path: ofWorkflow('/edit'), for: 'resources' },
  { name: 'workflow-edit-list', path: ofWorkflow('/edit?as=list'), for: 'resources' },
  { name: 'workflow-run', path: ofWorkflowRun() },
  { name: 'workflow-run-list', path: ofWorkflowRun('?as=list') },
];

const ofIntegration = (rest: (example: Example) => string = () => '') =>
  inProject((example) => `integration/${example.automation.integration}${rest(example)}`);

const automation: Stop[] = [
  ...resource('schedules', ({ templates: { schedule } }) => schedule),
  { name: 'schedules-week', path: at('schedules?as=week') },
  { name: 'schedules-table', path: at('schedules?as=table') },
  { name: 'schedule', path: inProject(({ templates: ids }) => `schedules/${ids.schedule}`) },
  ...resource('integrations', ({ automation: ids }) => ids.integration),
  { name: 'integration', path: ofIntegration() },
  {
    name: 'integration-value',
    path: ofIntegration(({ automation: ids }) => `?value=${ids.value}`),
    for: 'resources',
  },
  {
    name: 'integration-matcher',
    path: ofIntegration(({ automation: ids }) => `?matcher=${ids.matcher}`),
    for: 'resources',
  },
  { name: 'integration-deliveries', path: ofIntegration(() => '?tab=deliveries') },
  {
    name: 'integration-delivery',
    path: ofIntegration(({ automation: ids }) => `?tab=deliveries&delivery=${ids.delivery}`),
  },
  { name: 'integration-try', path: ofIntegration(() => '?tab=try'), for: 'resources' },
  ...resource('alerts', ({ automation: { channel } }) => channel),
  { name: 'alerts-sent', path: at('alerts?tab=sent') },
];

const people: Stop[] = [
  { name: 'team', path: at('team') },
  { name: 'team-new', path: at('team'), for: 'owner', act: press('team.new') },
  { name: 'roles', path: at('team/roles') },
  { name: 'roles-new', path: at('team/roles?edit=new'), for: 'owner' },
  { name: 'roles-rights', path: at('team/roles'), act: press('role.owner') },
  { name: 'access', path: at('team/access') },
  { name: 'access-new', path: at('team/access?edit=new'), for: 'owner' },
  {
    name: 'access-of-person',
    path: inProject(({ members: { guest } }) => `team/access/${guest}`),
    for: 'owner',
  },
  {
    name: 'access-to-object',
    path: inProject(({ templates: { deploy } }) => `access/template/${deploy}`),
    for: 'owner',
  },
  { name: 'account', path: () => '/account' },
  { name: 'account-sessions', path: () => '/account/sessions' },
  { name: 'account-tokens', path: () => '/account/tokens' },
  { name: 'token-new', path: () => '/account/tokens', act: press('token.new') },
  { name: 'users', path: () => '/users', for: 'admin' },
  { name: 'users-new', path: () => '/users?edit=new', for: 'admin' },
  {
    name: 'users-edit',
    path: ({ members: { guest } }) => `/users?edit=${guest}`,
    for: 'admin',
  },
];

const administration: Stop[] = [
  { name: 'overview', path: () => '/overview' },
  { name: 'active-tasks', path: () => '/tasks', for: 'admin' },
  { name: 'apps', path: () => '/apps', for: 'admin' },
  { name: 'runners', path: () => '/runners', for: 'admin' },
  { name: 'installation-environments', path: () => '/execution-environments', for: 'admin' },
  {
    name: 'installation-environments-new',
    path: () => '/execution-environments?edit=new',
    for: 'admin',
  },
  { name: 'installation-roles', path: () => '/roles', for: 'admin' },
  { name: 'installation-roles-new', path: () => '/roles?edit=new', for: 'admin' },
  { name: 'runner-new', path: () => '/runners', for: 'admin', act: press('runner.new') },
  {
    name: 'runner-token',
    path: () => '/runners',
    for: 'admin',
    act: press('runner.new_token_label', { name: 'Frankfurt' }),
  },
  {
    name: 'runner-remove',
    path: () => '/runners',
    for: 'admin',
    act: press('runner.remove_label', { name: 'Frankfurt' }),
  },
  { name: 'events', path: () => '/events', for: 'admin' },
  { name: 'health', path: () => '/health', for: 'admin' },
  { name: 'identity', path: () => '/identity', for: 'admin' },
  {
    name: 'group-rule-new',
    path: () => '/identity',
    for: 'admin',
    act: press('identity.new_rule'),
  },
];

/** The stops are in two parts, which tests walk at the same time. */
export const firstStops = [...visitor, ...dashboard, ...templates, ...tasks, ...menus, ...keyboard];
const forOthers = [...people, ...administration];
export const furtherStops: Stop[] = [...resources, ...workflows, ...automation, ...forOthers];
export const stops: Stop[] = [...firstStops, ...furtherStops];
