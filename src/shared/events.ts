// The events that are recorded about changes, tasks and sign-ins: every code with its English
// sentence. The console translates the code; the sentence is for scripts and for exports.

import { fillIn, type Params } from './errors.ts';

const catalogue = {
  'project.created': 'Project "{{name}}" created',
  'project.changed': 'Project "{{name}}" changed',
  'project.deleted': 'Project "{{name}}" deleted',
  'project.backed_up': 'Project "{{name}}" backed up',
  'project.restored': 'Project "{{name}}" restored from a backup',

  'member.added': '{{name}} became a member: {{role}}',
  'member.changed': 'The role of {{name}} changed from {{before}} to {{role}}',
  'member.removed': '{{name}} is no longer a member',

  'key.created': 'Key "{{name}}" created',
  'key.changed': 'Key "{{name}}" changed',
  'key.deleted': 'Key "{{name}}" deleted',
  'master_key.rotated': 'Master key replaced; secrets sealed again: {{amount}}',
  'host_key.forgotten': 'Host key of "{{name}}" forgotten',
  'host_key.all_forgotten': 'All host keys forgotten',
  'repository.created': 'Repository "{{name}}" created',
  'repository.changed': 'Repository "{{name}}" changed',
  'repository.deleted': 'Repository "{{name}}" deleted',
  'repository.tried': 'Connection to "{{name}}" tried with the key "{{key}}"',
  'host_config.created': 'Key for "{{name}}" added',
  'host_config.changed': 'Key for "{{name}}" changed',
  'host_config.deleted': 'Key for "{{name}}" removed',
  'inventory.created': 'Inventory "{{name}}" created',
  'inventory.changed': 'Inventory "{{name}}" changed',
  'inventory.deleted': 'Inventory "{{name}}" deleted',
  'environment.created': 'Environment "{{name}}" created',
  'environment.changed': 'Environment "{{name}}" changed',
  'environment.deleted': 'Environment "{{name}}" deleted',
  'view.created': 'View "{{name}}" created',
  'view.changed': 'View "{{name}}" changed',
  'view.deleted': 'View "{{name}}" deleted',
  'view.placed': 'Views put into another order',
  'template.created': 'Template "{{name}}" created',
  'template.changed': 'Template "{{name}}" changed',
  'template.deleted': 'Template "{{name}}" deleted',
  'template.state_copy_used':
    'Terraform state of "{{name}}" (workspace {{workspace}}) replaced by the copy {{state}} on {{runner}}',
  'template.state_adopted':
    'Terraform state of "{{name}}" (workspace {{workspace}}) replaced by {{state}}, which was set aside on {{runner}}',
  'workflow.created': 'Workflow "{{name}}" created',
  'workflow.changed': 'Workflow "{{name}}" changed',
  'workflow.deleted': 'Workflow "{{name}}" deleted',
  'workflow_run.launched': 'Run #{{run}} of "{{name}}" launched',
  'workflow_run.ended': 'Run #{{run}} of "{{name}}" ended: {{status}}',
  'workflow_run.stopped': 'Run #{{run}} of "{{name}}" was told to stop',
  'workflow_run.approved': '"{{node}}" in run #{{run}} of "{{name}}" approved',
  'workflow_run.rejected': '"{{node}}" in run #{{run}} of "{{name}}" rejected',
  'workflow_run.deleted': 'Run #{{run}} of "{{name}}" deleted',
  'schedule.created': 'Schedule "{{name}}" created',
  'schedule.changed': 'Schedule "{{name}}" changed',
  'schedule.deleted': 'Schedule "{{name}}" deleted',
  'schedule.switched_on': 'Schedule "{{name}}" switched on',
  'schedule.switched_off': 'Schedule "{{name}}" switched off',
  'schedule.failed': 'Schedule "{{name}}" could not launch its task: {{reason}}',
  'schedule.missed': 'Schedule "{{name}}" has missed due times: {{count}}',

  'task.started': 'Task #{{task}} of "{{name}}" launched',
  'task.finished': 'Task #{{task}} of "{{name}}" ended: {{status}}',
  'task.dry_run_started': 'Dry run #{{task}} of "{{name}}" launched',
  'task.dry_run_finished': 'Dry run #{{task}} of "{{name}}" ended: {{status}}',
  'task.confirmed': 'Task #{{task}} of "{{name}}" confirmed',
  'task.stopped': 'Task #{{task}} of "{{name}}" was told to stop',
  'task.deleted': 'Task #{{task}} of "{{name}}" deleted',
  'task.keys_used': 'Task #{{task}} of "{{name}}" used: {{keys}}',

  'integration.created': 'Integration "{{name}}" created',
  'integration.changed': 'Integration "{{name}}" changed',
  'integration.deleted': 'Integration "{{name}}" deleted',
  'integration.replayed': 'Delivery #{{delivery}} to "{{name}}" evaluated again',
  'extract_value.created': 'Value "{{name}}" added to integration "{{integration}}"',
  'extract_value.changed': 'Value "{{name}}" of integration "{{integration}}" changed',
  'extract_value.deleted': 'Value "{{name}}" of integration "{{integration}}" deleted',
  'matcher.created': 'Matcher "{{name}}" added to integration "{{integration}}"',
  'matcher.changed': 'Matcher "{{name}}" of integration "{{integration}}" changed',
  'matcher.deleted': 'Matcher "{{name}}" of integration "{{integration}}" deleted',
  'alias.created': 'Address of "{{name}}" added',
  'alias.deleted': 'Address of "{{name}}" deleted',
  'alert_channel.created': 'Alert channel "{{name}}" created',
  'alert_channel.changed': 'Alert channel "{{name}}" changed',
  'alert_channel.deleted': 'Alert channel "{{name}}" deleted',
  'alert_channel.tested': 'A test message was sent through the alert channel "{{name}}"',
  'workflow_run.alert_retried': 'An alert about run #{{run}} of "{{name}}" is sent again',
  'alert.retried': 'An alert about task #{{task}} of "{{name}}" is sent again',

  'session.started': '{{name}} signed in',
  'session.ended': '{{name}} signed out',
  'session.refused': 'A sign-in as {{name}} was refused: wrong password',
  'session.unknown': 'A sign-in was refused: there is no such user',
  'session.code_refused': 'A sign-in as {{name}} was refused: wrong code of the second factor',
  'session.half_started':
    'A sign-in as {{name}} has given the password, and not yet the code of the second factor',
  'session.recovery_code_used': '{{name}} signed in with a recovery code',
  'session.locked': 'Signing in as {{name}} was slowed down: too many wrong attempts',

  'session.external_refused': 'A sign-in through {{name}} was refused: {{reason}}',
  'user.linked': 'User {{name}} linked with the sign-in of {{provider}}',
  'group_rule.created': 'Rule for "{{name}}" created',
  'group_rule.changed': 'Rule for "{{name}}" changed',
  'group_rule.deleted': 'Rule for "{{name}}" deleted',
  'group_rule.placed': 'Rules for groups put into another order',

  'runner.created': 'Runner "{{name}}" made',
  'runner.token_renewed': 'New token for the runner "{{name}}" made',
  'runner.registered': 'Runner "{{name}}" has entered',
  'runner.tagged': 'Runner "{{name}}" has the tags {{tags}} now',
  'runner.changed': 'Runner "{{name}}" changed',
  'runner.drained': 'Server "{{name}}" is draining',
  'runner.resumed': 'Server "{{name}}" is given tasks again',
  'runner.cache_cleared': 'Runner "{{name}}" is to clear what it keeps for later runs',
  'runner.removed': 'Server "{{name}}" forgotten',

  'session.revoked': 'A session of {{name}} was ended',
  'session.others_revoked': 'All other sessions of {{name}} were ended',
  'token.created': 'API token "{{name}}" made, scope {{scope}}',
  'token.deleted': 'API token "{{name}}" revoked',
  'token.all_deleted': 'All API tokens revoked after a change of password',

  'user.created': 'User {{name}} created',
  'user.changed': 'User {{name}} changed',
  'user.promoted': 'User {{name}} became an administrator',
  'user.demoted': 'User {{name}} is no longer an administrator',
  'user.password_changed': 'The password of {{name}} changed',
  'user.unlocked': 'Wrong attempts to sign in as {{name}} were forgotten',
  'user.second_factor_added': '{{name}} set up a second factor',
  'user.second_factor_removed': 'The second factor of {{name}} was removed',
  'user.recovery_codes_renewed': '{{name}} made new recovery codes',
  'user.deleted': 'User {{name}} deleted',

  'app.changed': 'App "{{name}}" changed',
  'app.switched_on': 'App "{{name}}" switched on',
  'app.switched_off': 'App "{{name}}" switched off',
  'app.deleted': 'App "{{name}}" deleted',

  'installation.upgraded':
    'Database upgraded by version {{name}}; migrations: {{amount}}; copy from before: {{copy}}',
  'installation.upgraded_without_copy':
    'Database upgraded by version {{name}}; migrations: {{amount}}; no copy was made before',
  'installation.backed_up': 'The installation was backed up by its schedule: {{file}}',
  'installation.backup_failed': 'The scheduled backup of the installation has failed: {{reason}}',
  'installation.restored': 'The installation was restored from its backup of {{created}}',

  'option.set': 'Option "{{name}}" set',
} as const satisfies Record<string, string>;

export type EventCode = keyof typeof catalogue;
export const eventCodes = Object.keys(catalogue) as EventCode[];

export function eventText(code: EventCode): string {
  return catalogue[code];
}

/** The English sentence of an event; for an unknown code of a later version, the code itself. */
export function describeEvent(code: string, params: Params): string {
  return Object.hasOwn(catalogue, code) ? fillIn(catalogue[code as EventCode], params) : code;
}
