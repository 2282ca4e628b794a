// The pages and headings of the guide that explain the parts of the console.

export const helpTopics = {
  access: 'access',
  account: 'sign-in',
  alert_channel: 'alerts',
  company_sign_in: 'company-sign-in',
  environment: 'environments',
  execution_environment: 'environments#execution-environments',
  host_config: 'keys#keys-by-host',
  host_keys: 'repositories#host-keys',
  integration: 'integrations',
  inventory: 'inventories',
  key: 'keys',
  launch: 'tasks',
  log: 'tasks#reading-a-log',
  project: 'projects#settings',
  project_backup: 'backup',
  repository: 'repositories',
  role: 'roles',
  runner: 'remote-runners',
  schedule: 'schedules',
  sign_in: 'sign-in',
  survey: 'surveys',
  team: 'projects#the-team',
  template: 'templates',
  terraform_state: 'terraform#state',
  token: 'api',
  users: 'projects#who-may-create-projects',
  views: 'projects#views',
  workflow: 'workflows',
} as const;

export type HelpTopic = keyof typeof helpTopics;
