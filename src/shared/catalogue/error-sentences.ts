// All refusals of the server: code, HTTP status, English sentence. The console translates `errors.<code>`; API clients
// receive the sentence in `error`. Placeholders in {{braces}} are the parameters of a code, which `fail()` requires.

import { grantErrors } from './grant-errors.ts';
import { requestErrors } from './request-errors.ts';
import { signInErrors } from './sign-in-errors.ts';
import { templateErrors } from './template-errors.ts';

export const errorCatalogue = {
  ...requestErrors,
  ...grantErrors,
  'system.not_ready': [
    503,
    'The server is not ready: database {{database}}, writing {{writing}}, disk {{disk}}, clock {{clock}}, queue {{queue}}, runner {{runner}}.',
  ],
  'system.disk_full': [
    507,
    'The disk of the server is full, so nothing can be stored. Ask an administrator to free space on the disk of the data folder.',
  ],
  'system.database_full': [
    507,
    'The disk of the database is full, so nothing can be stored. Ask an administrator to free space on the database server.',
  ],
  'system.database_unavailable': [
    503,
    'The database is unavailable. Try again in {{seconds}} seconds.',
  ],

  ...signInErrors,

  'runner.not_found': [404, 'This server does not exist. It may have been forgotten already.'],
  'runner.credential': [
    401,
    'This runner is unknown or was removed. Create a new token for it, and register it again.',
  ],
  'runner.token_wrong': [403, 'This token is used up or older than an hour. Create a new one.'],
  'runner.replaced': [409, 'Another process works as this runner, so this one gets no new tasks.'],
  'runner.tags_by_setting': [
    409,
    'The setting SIGNALBOX_RUNNER_TAGS sets the tags of this server. Change them there.',
  ],
  'runner.always_active': [409, 'This is the only server, so it always takes tasks.'],
  'runner.task_taken': [409, 'This runner no longer holds this task.'],
  'runner.task_failed': [422, '{{reason}}'],
  'runner.not_stored': [503, 'The server cannot store this now. Try again in {{seconds}} seconds.'],
  'runner.lines_missing': [
    409,
    'Only {{lines}} lines of this log are stored. Send the ones after them first.',
  ],
  'runner.in_use': [
    409,
    'The server has unfinished tasks: {{names}}. Wait until they end before you forget it.',
  ],
  'runner.still_there': [409, 'This server is running. Stop it before you forget it.'],
  'metrics.token_required': [
    401,
    'Send the token of SIGNALBOX_METRICS_TOKEN in the header "Authorization", after the word Bearer.',
  ],
  'role.not_found': [404, 'This role does not exist. It may have been deleted already.'],
  'role.name_taken': [409, 'There is a role "{{name}}" already. Choose another name.'],
  'role.slug_taken': [
    409,
    'There is a role with the short name "{{slug}}" already. Choose another one.',
  ],
  'role.of_installation': [
    403,
    'This role belongs to the installation. Only an administrator can change it.',
  ],
  'role.in_use': [
    409,
    'This role is in use: members: {{members}}, access to objects: {{grants}}, group rules: {{rules}}, workflows with approvals: {{approvals}}. Choose another role there first.',
  ],
  'group_rule.not_found': [404, 'This rule does not exist. It may have been deleted already.'],

  'permission.token_scope': [
    403,
    'The scope of this API token is "{{scope}}", but this needs "{{need}}". Use a token with that scope.',
  ],
  'permission.token_project': [
    403,
    'This API token works in one project only. Use one for all projects.',
  ],
  'permission.session_needed': [403, 'API tokens cannot do this. Sign in instead.'],
  'token.too_many': [
    409,
    'You have {{most}} API tokens, the most you can have. Delete those that you no longer use.',
  ],
  'token.not_found': [404, 'You have no such API token. It may have been revoked already.'],
  'session.not_found': [404, 'You have no such session. It may have ended already.'],

  'permission.denied': [
    403,
    'Your role in this project does not have the right "{{right}}". A role that has it can be given by {{givers}}.',
  ],
  'permission.beyond': [
    403,
    'This is about a role with rights that you do not have yourself: {{rights}}. Ask an owner of the project.',
  ],
  'permission.admin_required': [403, 'Only an administrator can do this.'],
  'permission.create_project': [403, 'Only an administrator can create projects here.'],

  'project.not_found': [404, 'This project does not exist, or you are not a member of it.'],
  'user.not_found': [404, 'This user does not exist.'],
  'user.username_taken': [409, 'The username "{{username}}" is taken. Choose another one.'],
  'user.email_taken': [409, 'The email address "{{email}}" is taken. Choose another one.'],
  'user.last_admin': [
    409,
    'This is the last administrator. Make another user an administrator first.',
  ],

  'user.last_owner': [
    409,
    'This user is the only owner of {{projects}}. Make someone else an owner there first.',
  ],
  'user.own_admin': [
    403,
    'You cannot remove your own administrator rights. Ask another administrator.',
  ],
  'user.own_account': [403, 'You cannot delete your own account. Ask another administrator.'],
  'member.not_found': [404, 'This user is not a member of this project.'],
  'member.exists': [409, 'This user is already a member of this project.'],
  'member.owner_leaves': [
    409,
    'An owner cannot leave the project. Make someone else an owner, then change your own role.',
  ],
  'member.last_owner': [
    409,
    'This is the only owner of the project. Make someone else an owner first.',
  ],
  'project.unfinished_tasks': [
    409,
    'This project has unfinished tasks: {{tasks}}. Stop them first.',
  ],

  'key.not_found': [404, 'This key does not exist in this project.'],
  'key.name_taken': [409, 'This project already has a key named "{{name}}". Choose another name.'],
  'key.in_use': [400, 'The key is used by {{names}}. Change what uses it first.'],
  // Not 500, after which a runner would retry the request.
  'secret.not_opened': [
    422,
    'Cannot decrypt the secret in {{column}}, row {{row}}: it was encrypted for another row or with another master key. Enter it again, or restore the database.',
  ],
  'host_key.not_found': [
    404,
    'This project has no such host key. It may have been forgotten already.',
  ],
  'host_config.not_found': [404, 'This host or address does not exist in this project.'],
  'host_config.name_taken': [
    409,
    'This project already has a key for "{{name}}". Change that one.',
  ],
  'repository.not_found': [404, 'This repository does not exist in this project.'],
  'repository.name_taken': [
    409,
    'This project already has a repository named "{{name}}". Choose another name.',
  ],
  'repository.unreachable': [422, 'Cannot reach the repository: {{reason}}'],
  'repository.in_use': [400, 'The repository is used by {{names}}. Change what uses it first.'],
  'inventory.not_found': [404, 'This inventory does not exist in this project.'],
  'host.not_found': [404, 'No inventory and no task of this project names this host.'],
  'inventory.name_taken': [
    409,
    'This project already has an inventory named "{{name}}". Choose another name.',
  ],
  'inventory.in_use': [400, 'The inventory is used by {{names}}. Change what uses it first.'],
  'inventory.preview_unavailable': [
    409,
    'The program "ansible-inventory" is not installed on the server. Ask an administrator to install it.',
  ],
  'environment.not_found': [404, 'This environment does not exist in this project.'],
  'environment.name_taken': [
    409,
    'This project already has an environment named "{{name}}". Choose another name.',
  ],
  'environment.in_use': [400, 'The environment is used by {{names}}. Change what uses it first.'],
  'execution_environment.not_found': [
    404,
    'This execution environment does not exist here. It may have been deleted already.',
  ],
  'execution_environment.name_taken': [
    409,
    'There already is an execution environment named "{{name}}". Choose another name.',
  ],
  'execution_environment.in_use': [
    400,
    'The execution environment is used by {{names}}. Change what uses it first.',
  ],
  'execution_environment.of_installation': [
    403,
    'This execution environment belongs to the installation. Ask an administrator to change it.',
  ],
  'view.not_found': [404, 'This view does not exist in this project.'],
  'view.title_taken': [
    409,
    'This project already has a view titled "{{title}}". Choose another title.',
  ],
  'template.not_found': [404, 'This template does not exist in this project.'],
  'template.name_taken': [
    409,
    'This project already has a template named "{{name}}". Choose another name.',
  ],
  'template.in_use': [
    400,
    'The template is used by {{names}}. Change or delete what uses it first, and wait until its tasks end.',
  ],
  ...templateErrors,

  'workflow.not_found': [404, 'This workflow does not exist in this project.'],
  'workflow.name_taken': [
    409,
    'This project already has a workflow named "{{name}}". Choose another name.',
  ],
  'workflow.in_use': [400, 'The workflow is used by {{names}}. Change what uses it first.'],
  'workflow.unfinished_runs': [
    409,
    'This workflow has unfinished runs: {{runs}}. Stop them first.',
  ],
  'workflow.too_many_runs': [
    422,
    'A workflow can start at most {{limit}} runs at once. Nest workflows less.',
  ],
  'workflow_run.not_found': [404, 'This run does not exist in this project.'],
  'workflow_run.node_unknown': [404, 'This run has no node "{{node}}".'],
  'workflow_run.not_waiting': [409, '"{{node}}" is not waiting for approval.'],
  'workflow_run.not_approver': [
    403,
    'You cannot decide "{{node}}". Ask someone with one of its roles, or someone whom it names.',
  ],
  'workflow_run.own_run': [
    403,
    'You started this run, or last changed the schedule or integration that did, so someone else has to decide "{{node}}".',
  ],
  'workflow_run.unfinished': [409, 'This run has not ended. Stop it first, or wait until it ends.'],
  'workflow_run.approval_added': [
    409,
    'The workflow now asks for the approval "{{node}}" before these nodes, which this run did not have. Run the workflow instead.',
  ],
  'workflow_run.nothing_failed': [
    422,
    'No node of this run failed. Choose the nodes to run again.',
  ],

  'schedule.not_found': [404, 'This schedule does not exist in this project.'],
  'schedule.branch_missing': [409, 'The repository has no branch or tag "{{branch}}".'],
  'schedule.check_failed': [409, 'Cannot check the repository for new commits: {{reason}}'],

  'app.not_found': [404, 'There is no app "{{app}}".'],
  'app.in_use': [400, 'The app is used by {{names}}. Change or delete these templates first.'],

  'integration.not_found': [404, 'This integration does not exist in this project.'],
  'integration.name_taken': [
    409,
    'This project already has an integration named "{{name}}". Choose another name.',
  ],
  'integration.in_use': [400, 'The integration is used by {{names}}. Change what uses it first.'],
  'alias.not_found': [404, 'This alias does not exist. It may have been deleted already.'],
  'extract_value.not_found': [404, 'This integration has no such extract value.'],
  'matcher.not_found': [404, 'This integration has no such matcher.'],
  'delivery.not_found': [
    404,
    'This integration has no such delivery. Only the newest ones are kept.',
  ],
  'delivery.unauthorized': [
    409,
    'The sender of this request was not authorized, so it cannot be replayed. Have the sender send it again.',
  ],
  'webhook.duplicate': [409, 'This request was received before, so it starts nothing.'],
  'webhook.not_found': [404, 'No integration accepts requests at this address.'],
  'webhook.unauthorized': [
    401,
    'No integration at this address accepts the credentials of this request.',
  ],

  'task.not_found': [404, 'This task does not exist in this project.'],
  'task.not_active': [404, 'There is no unfinished task with this number.'],
  'task.wrong_status': [409, 'This is not possible while the task is "{{status}}".'],
  'task.field_not_allowed': [
    422,
    'The template does not allow changing "{{field}}" for a run. Allow it in the template first.',
  ],
  'task.field_not_supported': [
    422,
    'Tasks of the app "{{app}}" have no "{{field}}". Run the template without it.',
  ],
  'task.argument_own': [
    422,
    'Remove "{{option}}" from the CLI args: tasks of Terraform and OpenTofu set it themselves.',
  ],
  'task.argument_init': [
    422,
    'Remove "{{option}}" from the CLI args: it is an option of init, and the args go to plan. Set TF_CLI_ARGS_init in the environment.',
  ],
  'task.no_such_hosts': [422, 'No host of this task had such a result. Choose others.'],
  'task.host_not_named': [422, 'This task has no host "{{host}}". Choose among its hosts.'],
  'task.host_not_selectable': [422, 'Ansible reads "{{host}}" as a group. Choose other hosts.'],
  'task.secrets_gone': [
    422,
    'The secret answers of this task are no longer stored. Run its template again.',
  ],

  'alert_channel.not_found': [404, 'This alert channel does not exist in this project.'],
  'alert_channel.none_active': [409, 'This project has no active alert channel. Add one first.'],
  'alert_channel.name_taken': [
    409,
    'This project already has an alert channel named "{{name}}". Choose another name.',
  ],
  'alert_delivery.not_found': [404, 'This alert does not exist in this project.'],
  'alert_delivery.not_failed': [
    409,
    'Only a failed alert can be sent again. This one is "{{status}}".',
  ],
} as const satisfies Record<string, readonly [status: number, text: string]>;
