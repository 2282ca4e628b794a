// All refusals of the server: code, HTTP status, English sentence. The console translates `errors.<code>`; API clients
// receive the sentence in `error`. Placeholders in {{braces}} are the parameters of a code, which `fail()` requires.

import { requestErrors } from './request-errors.ts';
import { templateErrors } from './template-errors.ts';

export const errorCatalogue = {
  ...requestErrors,
  'system.not_ready': [
    503,
    'The server is not ready: database {{database}}, writing {{writing}}, disk {{disk}}, clock {{clock}}, queue {{queue}}, runner {{runner}}.',
  ],
  'system.disk_full': [
    507,
    'The disk of the server is full, so nothing can be stored. Tell an administrator to make room on the disk of the data folder.',
  ],
  'system.database_full': [
    507,
    'The disk of the database is full, so nothing can be stored. Tell an administrator to make room on the database server.',
  ],
  'system.database_unavailable': [503, 'The database is away. Try again in {{seconds}} seconds.'],

  'session.slowed': [
    429,
    'Too many wrong attempts from here. Wait {{seconds}} seconds before the next one, or sign in with a browser that has signed in here before. If you do not know your password, an administrator can set a new one.',
  ],
  'session.required': [401, 'Sign in first.'],
  'session.bad_credentials': [401, 'Incorrect login or password'],
  'session.code_required': [401, 'Enter the code of your second factor as well.'],
  'session.verification_required': [401, 'Enter the code of your second factor first.'],
  'session.wrong_code': [
    401,
    'This code is not right, or has been used already. Enter the one that is shown now.',
  ],
  'session.second_factor_setup': [
    403,
    'A second factor is required here. Set yours up before anything else.',
  ],
  'second_factor.active': [409, 'You have a second factor already. Remove it first.'],
  'second_factor.not_active': [409, 'There is no second factor.'],
  'second_factor.not_started': [409, 'Begin to set up the second factor first.'],
  'second_factor.elsewhere': [
    409,
    'You sign in elsewhere. Whoever asks for your password there can ask for a second factor too.',
  ],
  'second_factor.own': [
    403,
    'Remove your own second factor in your account, where your password is asked for.',
  ],

  'session.directory_unreachable': [
    503,
    'The directory that knows your password cannot be reached. Try again in a moment.',
  ],
  'session.directory_search': [
    503,
    'The directory that knows your password refuses to be searched. Tell an administrator: Administration → Sign-in shows the reason.',
  ],

  'identity.unknown_provider': [404, 'There is no such way to sign in here. Choose another.'],
  'identity.unreachable': [
    503,
    'The sign-in provider cannot be reached. Try again in a moment, or tell an administrator.',
  ],
  'identity.state': [
    400,
    'This sign-in has expired, was used before, or was begun in another browser. Begin again.',
  ],
  'identity.denied': [403, 'The sign-in provider did not let you in.'],
  'identity.invalid_answer': [
    401,
    'The answer of the sign-in provider cannot be trusted. Try again, and tell an administrator if the problem persists.',
  ],
  'identity.email_missing': [
    403,
    'The sign-in provider told no e-mail address. An administrator can have it do so, or allow accounts without one.',
  ],
  'identity.email_taken': [
    403,
    'There is an account with your e-mail address that may not be linked by itself. Ask an administrator.',
  ],
  'identity.no_account': [403, 'There is no account for you here. Ask an administrator for one.'],
  'runner.not_found': [404, 'This server does not exist. It may have been forgotten already.'],
  'runner.credential': [
    401,
    'This runner is not known here, or was removed. Make a new token for it, and register it again.',
  ],
  'runner.token_wrong': [
    403,
    'This token lets no runner in: it was used already, or is older than an hour. Make a new one.',
  ],
  'runner.replaced': [409, 'Another process works as this runner. This one gets no new tasks.'],
  'runner.tags_by_setting': [
    409,
    'The tags of this server stand in its setting SIGNALBOX_RUNNER_TAGS. Change them there.',
  ],
  'runner.always_active': [409, 'This is the only server. It is always given tasks.'],
  'runner.task_taken': [409, 'This runner does not hold this task any more.'],
  'runner.task_failed': [422, '{{reason}}'],
  'runner.not_stored': [503, 'The server cannot store this now. Try again in {{seconds}} seconds.'],
  'runner.lines_missing': [
    409,
    'Only {{lines}} lines of this log are stored. Send the ones after them first.',
  ],
  'runner.in_use': [
    409,
    'The server has unfinished tasks: {{names}}. Let them end before it is forgotten.',
  ],
  'runner.still_there': [409, 'This server is running. End it before it is forgotten.'],
  'metrics.token_required': [
    401,
    'Send the token of SIGNALBOX_METRICS_TOKEN in the header "Authorization", after the word Bearer.',
  ],
  'group_rule.not_found': [404, 'This rule does not exist. It may have been deleted already.'],

  'permission.token_scope': [
    403,
    'This API token may not do that. Its scope is "{{scope}}", and "{{need}}" is needed.',
  ],
  'permission.token_project': [
    403,
    'This API token is for one project only. Use one without a project for this.',
  ],
  'permission.session_needed': [403, 'API tokens may not do this. Sign in for it.'],
  'token.too_many': [409, 'You have {{most}} API tokens. Delete some that are not used any more.'],
  'token.not_found': [404, 'You have no such API token. It may have been revoked already.'],
  'session.not_found': [404, 'You have no such session. It may have ended already.'],

  'permission.denied': [403, 'Your role in this project does not allow this.'],
  'permission.admin_required': [403, 'Only an administrator may do this.'],
  'permission.create_project': [403, 'Only an administrator may create projects here.'],

  'project.not_found': [404, 'This project does not exist, or you are not a member of it.'],
  'user.not_found': [404, 'This user does not exist.'],
  'user.username_taken': [409, 'The username "{{username}}" is taken.'],
  'user.email_taken': [409, 'The e-mail address "{{email}}" is taken.'],
  'user.last_admin': [409, 'This is the last administrator. Make another one first.'],

  'user.last_owner': [
    409,
    'This user is the only owner of {{projects}}. Make somebody else an owner there first.',
  ],
  'user.own_admin': [
    403,
    'You cannot stop being an administrator by yourself. Ask another administrator.',
  ],
  'user.own_account': [403, 'You cannot delete your own account. Ask another administrator.'],
  'member.not_found': [404, 'This user is not a member of this project.'],
  'member.exists': [409, 'This user is a member of this project already.'],
  'member.owner_leaves': [
    409,
    'An owner cannot leave the project. Make somebody else an owner, then give yourself another role.',
  ],
  'member.last_owner': [
    409,
    'This is the only owner of the project. Make somebody else an owner first.',
  ],
  'project.unfinished_tasks': [
    409,
    'This project has unfinished tasks: {{tasks}}. Stop them first.',
  ],

  'key.not_found': [404, 'This key does not exist in this project.'],
  'key.name_taken': [409, 'This project already has a key named "{{name}}".'],
  'key.in_use': [400, 'The key is used by {{names}}. Change what uses it first.'],
  // Not 500, after which a runner would retry the request.
  'secret.not_opened': [
    422,
    'The secret in {{column}}, row {{row}}, does not open: it was sealed for another place or with another master key. Enter it again, or restore the database.',
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
  'repository.name_taken': [409, 'This project already has a repository named "{{name}}".'],
  'repository.unreachable': [422, 'The repository could not be reached: {{reason}}'],
  'repository.in_use': [400, 'The repository is used by {{names}}. Change what uses it first.'],
  'inventory.not_found': [404, 'This inventory does not exist in this project.'],
  'host.not_found': [404, 'No inventory and no task of this project names this host.'],
  'inventory.name_taken': [409, 'This project already has an inventory named "{{name}}".'],
  'inventory.in_use': [400, 'The inventory is used by {{names}}. Change what uses it first.'],
  'inventory.preview_unavailable': [
    409,
    'The program "ansible-inventory" is not installed on the server. An administrator can install it.',
  ],
  'environment.not_found': [404, 'This environment does not exist in this project.'],
  'environment.name_taken': [409, 'This project already has an environment named "{{name}}".'],
  'environment.in_use': [400, 'The environment is used by {{names}}. Change what uses it first.'],
  'view.not_found': [404, 'This view does not exist in this project.'],
  'view.title_taken': [409, 'This project already has a view titled "{{title}}".'],
  'template.not_found': [404, 'This template does not exist in this project.'],
  'template.name_taken': [409, 'This project already has a template named "{{name}}".'],
  'template.in_use': [
    400,
    'The template is used by {{names}}. Change or delete what uses it first, and let its tasks end.',
  ],
  ...templateErrors,

  'workflow.not_found': [404, 'This workflow does not exist in this project.'],
  'workflow.name_taken': [409, 'This project already has a workflow named "{{name}}".'],
  'workflow.in_use': [400, 'The workflow is used by {{names}}. Change what uses it first.'],
  'workflow.unfinished_runs': [
    409,
    'This workflow has unfinished runs: {{runs}}. Stop them first.',
  ],
  'workflow.too_many_runs': [422, 'One launch can begin at most {{limit}} runs. Nest them less.'],
  'workflow_run.not_found': [404, 'This run does not exist in this project.'],
  'workflow_run.node_unknown': [404, 'This run has no node "{{node}}".'],
  'workflow_run.not_waiting': [409, '"{{node}}" does not wait for an approval now.'],
  'workflow_run.not_approver': [
    403,
    'You may not decide "{{node}}". Ask somebody with one of its roles, or whom it names.',
  ],
  'workflow_run.own_run': [
    403,
    'You launched this run, or last changed the schedule or integration that did, so somebody else has to decide "{{node}}".',
  ],
  'workflow_run.unfinished': [409, 'This run has not ended. Stop it first, or let it end.'],
  'workflow_run.approval_added': [
    409,
    'The workflow asks for the approval "{{node}}" before these nodes now, which this run did not have. Launch the workflow instead.',
  ],
  'workflow_run.nothing_failed': [
    422,
    'No node of this run failed. Choose the nodes to run again.',
  ],

  'schedule.not_found': [404, 'This schedule does not exist in this project.'],
  'schedule.branch_missing': [409, 'The repository has no branch or tag "{{branch}}".'],
  'schedule.check_failed': [409, 'The repository could not be asked for new commits: {{reason}}'],

  'app.not_found': [404, 'There is no app "{{app}}".'],
  'app.in_use': [400, 'The app is used by {{names}}. Change or delete these templates first.'],

  'integration.not_found': [404, 'This integration does not exist in this project.'],
  'integration.name_taken': [409, 'This project already has an integration named "{{name}}".'],
  'integration.in_use': [400, 'The integration is used by {{names}}. Change what uses it first.'],
  'alias.not_found': [404, 'This address does not exist. It may have been deleted already.'],
  'extract_value.not_found': [404, 'This integration has no such value.'],
  'matcher.not_found': [404, 'This integration has no such matcher.'],
  'delivery.not_found': [
    404,
    'This integration has no such delivery. Only the newest ones are kept.',
  ],
  'delivery.unauthorized': [
    409,
    'Nobody knows who sent this request, so it is not evaluated again. Let the sender send it again.',
  ],
  'webhook.duplicate': [409, 'This request was received before, and starts nothing a second time.'],
  'webhook.not_found': [404, 'Nothing takes requests at this address.'],
  'webhook.unauthorized': [
    401,
    'No integration at this address accepts the credentials of this request.',
  ],

  'task.not_found': [404, 'This task does not exist in this project.'],
  'task.not_active': [404, 'There is no unfinished task with this number.'],
  'task.wrong_status': [409, 'This cannot be done while the task is "{{status}}".'],
  'task.field_not_allowed': [
    422,
    'The template does not allow "{{field}}" to be set for a task. Allow it in the template first.',
  ],
  'task.field_not_supported': [
    422,
    'Tasks of the app "{{app}}" have no "{{field}}". Launch the task without it.',
  ],
  'task.argument_own': [
    422,
    'Remove "{{option}}" from the CLI args: each task of Terraform and OpenTofu sets it itself.',
  ],
  'task.argument_init': [
    422,
    'Remove "{{option}}" from the CLI args, which go to plan: it is an option of init. Set TF_CLI_ARGS_init in the environment.',
  ],
  'task.no_such_hosts': [422, 'No host of this task had such a result. Choose others.'],
  'task.host_not_named': [422, 'This task has no host "{{host}}". Choose among its hosts.'],
  'task.host_not_selectable': [422, 'Ansible takes "{{host}}" for a group. Choose other hosts.'],
  'task.secrets_gone': [
    422,
    'The secret answers of this task are gone. Launch its template again.',
  ],

  'alert_channel.not_found': [404, 'This alert channel does not exist in this project.'],
  'alert_channel.none_active': [409, 'This project has no active alert channel. Add one first.'],
  'alert_channel.name_taken': [409, 'This project already has an alert channel named "{{name}}".'],
  'alert_delivery.not_found': [404, 'This alert does not exist in this project.'],
  'alert_delivery.not_failed': [
    409,
    'Only an alert that failed for good can be sent again. This one is "{{status}}".',
  ],
} as const satisfies Record<string, readonly [status: number, text: string]>;
