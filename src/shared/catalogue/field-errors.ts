// Errors of single fields of a body, with the texts at the input.

import { type CodeOf, defineCatalogue } from './catalogue.ts';

export const fieldErrors = defineCatalogue({
  'field.required': 'Fill this in',
  'field.type': 'Wrong type: {{expected}} is expected',
  'field.too_long': 'Use at most {{max}} characters',
  'field.too_short': 'Use at least {{min}} characters',
  'field.too_many': 'Use at most {{max}} entries',
  'field.range': 'The number is outside the allowed range',
  'field.option': 'Choose one of: {{options}}',
  'field.unknown': 'There is no such field',
  'field.invalid': 'This is not valid',
  'field.control_characters': 'Remove the control characters',
  'field.reference': 'This does not exist in this project',
  'field.one_target': 'Choose either a template or a workflow, not both',
  'field.no_launch_options':
    'Run options are for templates only. The nodes of a workflow set their own',
  'field.json_object': 'This must be a JSON object',
  'field.json_strings': 'All values must be strings, numbers or true/false',
  'field.json_depth': 'This JSON is nested too deeply',
  'field.json_array': 'This must be a JSON array of strings',
  'field.mismatch': 'This differs from the URL of the request',
  'field.contradiction': 'This contradicts {{other}}. Send only one of them',
  'field.leading_dash': 'This must not begin with a dash',
  'field.git_reference': 'Enter the exact name of a branch or tag, or a full commit hash',
  'field.template_signs':
    'Remove the template syntax: a brace before another brace, a percent sign or a hash',
  'field.path': 'Enter a path inside the repository, without ".."',
  'field.host_file': 'Enter hosts or groups. A file ("@") is not allowed here',
  'field.integer': 'Must be integer',
  'field.zero_or_more': 'Must be 0 or greater',
  'execution_environment.absolute_path': 'Enter an absolute path, such as /opt/ansible-2.16',
  'execution_environment.requirement':
    'Enter a package as pip knows it, such as ansible-core==2.19.*. Options are not allowed here',
  'execution_environment.python': 'Enter a version such as 3.12, or the path of a Python',
  'execution_environment.index_url':
    'Enter an http or https address without a login, such as https://pypi.example.com/simple',
  'execution_environment.image':
    'Enter the name of an image, such as quay.io/example/tools:1.4, with a tag or a digest',
  'execution_environment.network': 'Enter none, host or the name of a network',
  'execution_environment.user': 'Enter a user and a group as numbers: 1000:1000',
  'execution_environment.object_name': 'Enter a name of Kubernetes: small letters, digits, - and .',
  'execution_environment.label': 'Enter a label as name=value, such as disk=ssd',
  'execution_environment.reserved_label':
    'Labels of kubernetes.io, k8s.io and signalbox.dev cannot be set: choose another name',
  'execution_environment.toleration':
    'Enter a taint, such as gpu=true:NoSchedule, or only its name',
  'execution_environment.pod_root': 'Pods do not run as root: enter another user',
  'execution_environment.request_over_limit':
    'This is more than the limit: lower it, or raise the limit',
  'execution_environment.tools_required': 'Enter packages, or the folder that has the programs',
  'execution_environment.folder_or_packages':
    'Choose either packages or a folder: a folder is used as it is',
  'execution_environment.key_login_password':
    'The login of a registry needs a key of the type Login with password',
  'execution_environment.key_of_installation':
    'An execution environment of the installation has no key. Ask an administrator to log in the runners to the registry',
  'execution_environment.image_required': 'Image is required',
  'project.name_required': 'Project name is required',
  'user.username_required': 'Username is required',
  'user.password_required': 'Password is required',
  'user.email_required': 'Email is required',
  'user.email_invalid': 'This is not an email address',
  'user.external_field': 'This user signs in with an external provider. Change this there',
  'user.old_password_required': 'Current password is required',
  'user.old_password_wrong': 'This is not the current password',
  'user.password_wrong': 'This is not your password',
  'user.password_common':
    'Many people use this password, so it is easy to guess. Choose another one',
  'user.password_login': 'Choose a password that does not contain the username',
  'second_factor.code_required': 'Code is required',
  'second_factor.code_wrong':
    'This is not the code that the app shows now. Check the clocks of both devices',
  'token.expires_past': 'Choose a time in the future',
  'token.no_project': 'You are not a member of such a project',
  'member.user_required': 'User is required',
  'member.role_required': 'Role is required',
  'member.role_unknown': 'The project has no such role',
  'member.no_user': 'There is no such user',
  'name.required': 'Name is required',
  'role.slug': 'Enter small letters, digits and dashes, such as on-call',
  'group_rule.source': 'There is no such provider',
  'group_rule.project_or_admin': 'Choose either a project with a role, or administrator',
  'key.private_key_required': 'Private key is required',
  'key.private_key_invalid': 'This is not a private key in PEM or OpenSSH format',
  'key.private_key_cut': 'The end of this private key is missing. Copy the whole file',
  'key.private_key_public':
    'This is a public key. Enter the private key: the file whose name does not end in ".pub"',
  'key.private_key_putty':
    'This is a PuTTY key. Convert it: puttygen KEY.ppk -O private-openssh -o KEY',
  'key.private_key_hardware':
    'This key is stored on a hardware security key, which tasks cannot use. Create another key: ssh-keygen -t ed25519',
  'key.private_key_format':
    'OpenSSH on the server cannot read this format. Save the key without a passphrase (openssl pkey -in KEY -out NEW-KEY) or create another key: ssh-keygen -t ed25519',
  'key.private_key_unreadable':
    'OpenSSH on the server cannot read this private key: it is damaged, or its type is not supported. Copy the whole file again or create another key: ssh-keygen -t ed25519',
  'key.passphrase_required': 'This private key is encrypted. Enter its passphrase',
  'key.passphrase_wrong': 'This is not the passphrase of the private key',
  'repository.url_required': 'Git URL is required',
  'repository.url_incorrect': 'Incorrect URL',
  'repository.url_password': 'Remove the password from the URL and store it in a key',
  'repository.local_not_allowed':
    'This folder is outside the folders that the administrator allows for local repositories ' +
    '(SIGNALBOX_LOCAL_REPOSITORIES)',
  'host_config.host_required': 'Host or URL is required',
  'host_config.host_incorrect':
    'Enter a host such as git.example.org, with its port if needed: git.example.org:2222',
  'host_config.url_incorrect':
    'Enter a URL prefix: https://git.example.org/team/ or ssh://git@git.example.org/team/',
  'host_config.too_many':
    'A project can have keys for at most {{limit}} hosts and URLs. Delete one, or use a URL prefix that several share',
  'host_config.key_ssh': 'An SSH host needs a key of the type SSH key',
  'host_config.key_login_password':
    'A URL prefix with https needs a key of the type login with password',
  'repository.branch_required': 'Branch is required',
  'repository.key_required': 'Key is required',
  'inventory.credentials_required': 'User credentials are required',
  'inventory.workspace_name':
    'Use letters, digits and the characters - _ . ~, not beginning with a dash',
  'inventory.path_required': 'Path to Inventory file is required',
  'inventory.type_required': 'Type is required',
  'environment.secret_repeated': 'Another secret of this type has this name',
  'environment.process_name': 'An environment variable cannot have this name',
  'environment.variable_name': 'Use letters, digits and underscores, not beginning with a digit',
  'view.title_required': 'Title is required',
  'template.playbook_required': 'Playbook filename is required',
  'template.inventory_required': 'Choose an inventory, or send null for none',
  'template.repository_required': 'Repository is required',
  'template.working_directory_terraform':
    'Terraform starts in the folder of its configuration. Leave this empty',
  'template.argument_own': 'Remove "{{option}}": each task sets it itself',
  'template.argument_init':
    'Remove "{{option}}": it is for init. Set TF_CLI_ARGS_init in the environment',
  'template.start_version_required': 'Start version is required',
  'template.build_template_required': 'Build template is required',
  'template.build_template_wrong':
    'Choose a build or deploy template that does not lead back to this one',
  'schedule.cron_fields':
    'Enter five fields: minute, hour, day, month and weekday; or a word like @daily',
  'schedule.cron_minute': 'The minute "{{value}}" is not valid',
  'schedule.cron_hour': 'The hour "{{value}}" is not valid',
  'schedule.cron_day': 'The day of the month "{{value}}" is not valid',
  'schedule.cron_month': 'The month "{{value}}" is not valid',
  'schedule.cron_weekday': 'The day of the week "{{value}}" is not valid',
  'schedule.cron_never': 'There is no such day, so this would never run',
  'schedule.interval': 'Enter an interval of at least a minute, for example @every 1h30m',
  'schedule.run_at_passed': 'This time has passed. Choose a later one, or disable the schedule',
  'schedule.time_zone_unknown': 'Unknown time zone. Use a name like Europe/Berlin',
  'task.build_required': 'Build version is required',
  'task.build_wrong': 'Choose a successful task of the build template',
  'template.app_unknown': 'There is no such app',
  'app.path': 'Enter an absolute path, or the name of a program',
  'runner.by_setting': 'A setting of this server sets this. Change it there',
  'runner.webhook': 'Signalbox calls no webhook of runners. Leave this empty',
  'runner.tag_form':
    'Use up to 32 letters, digits and the characters - _ . and begin with a letter or digit',
  'host.fact_form':
    'Use a name in ansible_facts: lower-case letters, digits and _, with dots for nested values',
  'template.environment_repeated': 'This environment is already in the list',
  'template.vault_repeated': 'Another vault of this template has this name',
  'integration.header_name': 'Enter the name of a header',
  'repository.status_key_required': 'Token is required',
  'repository.status_url':
    'Commit statuses need the URL of a repository with an owner, such as https://host/owner/name',
  'integration.secret_type': 'Choose a key with login and password',
  'integration.value_source_required': 'Value Source is required',
  'integration.match_source_required': 'Match source is required',
  'integration.body_type_required': 'Body Data Type is required',
  'integration.body_format_required': 'Body Data Format is required',
  'integration.key_required': 'Key is required',
  'integration.key_path': 'Enter a path such as repository.name, commits[0].id or ["a.b"].c',
  'integration.credential_header':
    'This header carries credentials. Only the authentication of the integration reads it',
  'integration.launch_option': 'Requests can set only this option: git_branch',
  'integration.variable_required': 'Variable is required',
  'integration.method_required': 'Comparison Method is required',
  'integration.value_required': 'Value is required',
  'alert_channel.address_required': 'Address is required',
  'alert_channel.address_invalid': 'Enter an address that begins with https:// or http://',
  'alert_channel.address_login': 'Remove login and password from the address',
  'alert_channel.topic_required':
    'Enter the address of a topic, for example https://ntfy.example.com/topic',
  'alert_channel.secret_required': 'Token is required',
  'alert_channel.token_invalid': 'Enter the token of a bot, for example 123456:ABC-DEF',
  'alert_channel.chat_required': 'Chat is required',
  'alert_channel.chat_invalid': 'Enter the ID of a chat, or the name of a channel with its @',
  'alert_channel.type_kept': 'Enter address and secret again to change the type',
  'alert_channel.mail_not_set_up':
    'This server cannot send email yet. An administrator can set SIGNALBOX_SMTP_URL',
  'workflow.no_nodes': 'Add a node: a workflow without nodes does nothing',
  'workflow.key_repeated': 'Another node has the same key as "{{node}}"',
  'workflow.name_repeated': 'Another node is also named "{{node}}"',
  'workflow.node_unknown': 'There is no node with the key "{{key}}"',
  'workflow.edge_repeated': 'There are two edges from "{{from}}" to "{{to}}"',
  'workflow.circle': 'These nodes wait for each other in a circle: {{nodes}}',
  'workflow.not_before': '"{{node}}" uses "{{other}}", which does not come before it',
  'workflow.nobody_approves': 'No one can approve "{{node}}": choose a role or a user',
  'workflow.role_unknown': '"{{node}}" names a role that the project does not have',
  'workflow.approver_unknown': '"{{node}}" names a user who is not a member of the project',
  'workflow.wait_unclear': '"{{node}}" needs either a number of seconds or a time of day',
  'workflow.time_zone': '"{{node}}" names a time zone that does not exist',
  'workflow.template_unknown': 'The template of "{{node}}" does not exist in this project',
  'workflow.template_refuses': 'The template of "{{node}}" refuses this: {{reason}}',
  'workflow.build_node': '"{{node}}" is a deploy: choose the earlier node whose build it deploys',
  'workflow.build_node_wrong':
    '"{{node}}" cannot deploy the build of "{{other}}", which does not run its build template',
  'workflow.workflow_unknown': 'The workflow of "{{node}}" does not exist in this project',
  'workflow.nested_circle': 'The workflow of "{{node}}" leads back to this one',
  'restore.unknown_reference': 'This file has no "{{name}}" among its {{section}}',
  'restore.installation_environment':
    'This installation has no execution environment named "{{name}}". Ask an administrator to add it first',
  'restore.name_repeated': 'Another of the {{section}} in this file is named "{{name}}" too',
  'restore.chain_too_long': 'Chains of deploy templates can have at most {{max}} links',
  'restore.alias_form': 'Aliases end with 16 to 64 lower-case letters and digits',
  'restore.too_much': 'This is more than a backup of a project can hold',
  'survey.name_repeated': 'Another variable has this name',
  'survey.title_required': 'Title is required',
  'survey.environment_name':
    'An answer cannot set this environment variable: use letters, digits and underscores, and no name that changes how programs behave',
  'survey.default_secret': 'A secret has no default: everyone who sees the template could read it',
  'survey.values_required': 'Enumeration must have values.',
  'survey.answer_required': '{{title}} is required',
  'survey.answer_integer': '{{title}} must be integer',
  'survey.answer_boolean': '{{title}} must be true or false',
  'survey.answer_option': '{{title}} must be one of the offered values',
});
export type FieldCode = CodeOf<typeof fieldErrors>;
