// Every refusal the server can answer with: code, HTTP status, English sentence.
// The console translates `errors.<code>`; API clients read the sentence in `error`.
// Words in {{braces}} are the parameters of a code; `fail()` asks for exactly these.

const catalogue = {
  'request.invalid': [400, 'Some fields are not valid. Correct them and try again.'],
  'request.malformed_json': [400, 'The body is not valid JSON: {{reason}}'],
  'request.malformed_url': [400, 'The address is not valid. Check the percent signs in it.'],
  'request.cross_site': [403, 'This request came from another site and was refused.'],
  'request.not_found': [404, 'There is nothing at {{method}} {{path}}.'],
  'request.method_not_allowed': [405, '{{path}} does not accept {{method}}.'],
  'request.too_large': [413, 'The body is larger than {{limit}} bytes.'],
  'request.unsupported_media_type': [
    415,
    'Send the body as JSON with the header "Content-Type: application/json".',
  ],
  'request.rate_limited': [429, 'Too many attempts. Try again in {{seconds}} seconds.'],
  'request.stale': [
    409,
    'Somebody else saved this in the meantime. Reload it and make your change again.',
  ],
  'request.internal': [500, 'Something went wrong on the server. It has been logged.'],
  'request.unavailable': [503, 'The server is shutting down. Try again in a moment.'],

  'session.required': [401, 'Sign in first.'],
  'session.bad_credentials': [401, 'Incorrect login or password'],

  'permission.token_scope': [
    403,
    'This API token may not do that. Its scope is "{{scope}}", and "{{need}}" is needed.',
  ],
  'permission.token_project': [
    403,
    'This API token is for one project only. Use one without a project for this.',
  ],
  'permission.session_needed': [403, 'API tokens may not do this. Sign in for it.'],
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
  'host_key.not_found': [
    404,
    'This project has no such host key. It may have been forgotten already.',
  ],
  'repository.not_found': [404, 'This repository does not exist in this project.'],
  'repository.name_taken': [409, 'This project already has a repository named "{{name}}".'],
  'repository.in_use': [400, 'The repository is used by {{names}}. Change what uses it first.'],
  'inventory.not_found': [404, 'This inventory does not exist in this project.'],
  'inventory.name_taken': [409, 'This project already has an inventory named "{{name}}".'],
  'inventory.in_use': [400, 'The inventory is used by {{names}}. Change what uses it first.'],
  'environment.not_found': [404, 'This environment does not exist in this project.'],
  'environment.name_taken': [409, 'This project already has an environment named "{{name}}".'],
  'environment.in_use': [400, 'The environment is used by {{names}}. Change what uses it first.'],
  'view.not_found': [404, 'This view does not exist in this project.'],
  'view.title_taken': [409, 'This project already has a view titled "{{title}}".'],
  'template.not_found': [404, 'This template does not exist in this project.'],
  'template.name_taken': [409, 'This project already has a template named "{{name}}".'],
  'template.in_use': [
    400,
    'The template has unfinished tasks, or other templates deploy what it builds: {{names}}. See to these first.',
  ],
  'template.app_inactive': [
    409,
    'The app "{{app}}" is switched off. An administrator can switch it on.',
  ],
  'template.app_unavailable': [
    409,
    'The program "{{program}}" is not installed on the server, so this template cannot run.',
  ],

  'app.not_found': [404, 'There is no app "{{app}}".'],
  'app.in_use': [400, 'Templates use this app. Change or delete them first.'],

  'task.not_found': [404, 'This task does not exist in this project.'],
  'task.wrong_status': [409, 'This cannot be done while the task is "{{status}}".'],
  'task.field_not_allowed': [
    422,
    'The template does not allow "{{field}}" to be set for a task. Allow it in the template first.',
  ],
  'task.field_not_supported': [
    422,
    'Tasks of the app "{{app}}" have no "{{field}}". Launch the task without it.',
  ],

  'alert_channel.not_found': [404, 'This alert channel does not exist in this project.'],
  'alert_channel.name_taken': [409, 'This project already has an alert channel named "{{name}}".'],
  'alert_delivery.not_found': [404, 'This alert does not exist in this project.'],
  'alert_delivery.not_failed': [
    409,
    'Only an alert that failed for good can be sent again. This one is "{{status}}".',
  ],
} as const satisfies Record<string, readonly [status: number, text: string]>;

export type ErrorCode = keyof typeof catalogue;
export const errorCodes = Object.keys(catalogue) as ErrorCode[];

/** What can be wrong with one field of a body, in the words people see at the input. */
const fieldCatalogue = {
  'field.required': 'Fill this in',
  'field.type': 'This has the wrong type: {{expected}} is expected',
  'field.too_long': 'Use at most {{max}} characters',
  'field.too_short': 'Use at least {{min}} characters',
  'field.too_many': 'Use at most {{max}} entries',
  'field.range': 'The number is outside the allowed range',
  'field.option': 'Choose one of: {{options}}',
  'field.unknown': 'There is no such field',
  'field.invalid': 'This is not valid',
  'field.control_characters': 'Remove the control characters',
  'field.reference': 'This does not exist in this project',
  'field.json_object': 'This must be a JSON object',
  'field.json_strings': 'All values must be texts, numbers or true/false',
  'field.json_array': 'This must be a JSON array of texts',
  'field.mismatch': 'This differs from the address of the request',
  'field.leading_dash': 'This must not begin with a dash',
  'field.template_signs':
    'Leave out the signs of templates: a brace before another brace, a percent sign or a hash',
  'field.path': 'Give a path inside the repository, without ".."',
  'field.host_file': 'Name hosts or groups. A file ("@") is not taken here',
  'field.integer': 'Must be integer',
  'field.zero_or_more': 'Must be 0 or greater',
  'project.name_required': 'Project name is required',
  'user.username_required': 'Username is required',
  'user.password_required': 'Password is required',
  'user.email_required': 'Email is required',
  'user.email_invalid': 'This is not an e-mail address',
  'user.external_field': 'This user signs in elsewhere, and this can only be changed there',
  'user.old_password_required': 'Old password is required',
  'user.old_password_wrong': 'This is not the old password',
  'token.expires_past': 'Choose a time that is still to come',
  'token.no_project': 'You are a member of no such project',
  'member.user_required': 'User is required',
  'member.role_required': 'Role is required',
  'member.no_user': 'There is no such user',
  'name.required': 'Name is required',
  'key.private_key_required': 'Private key is required',
  'key.private_key_invalid': 'This is not a private key in PEM or OpenSSH format',
  'repository.url_incorrect': 'Incorrect URL',
  'repository.url_password': 'Leave the password out of the address and put it into a key',
  'repository.local_not_allowed':
    'This folder is outside the folders that the administrator allows for local repositories',
  'repository.branch_required': 'Branch is required',
  'repository.key_required': 'Key is required',
  'inventory.credentials_required': 'User credentials are required',
  'inventory.workspace_name':
    'Name a workspace with letters, digits and the signs - _ . ~, beginning without a dash',
  'inventory.type_required': 'Type is required',
  'environment.secret_repeated': 'Another secret of this kind has this name',
  'environment.variable_name': 'Use letters, digits and underscores, beginning with no digit',
  'view.title_required': 'Title is required',
  'template.playbook_required': 'Playbook filename is required',
  'template.inventory_required': 'Inventory is required',
  'template.repository_required': 'Repository is required',
  'template.environment_required': 'Environment is required',
  'template.start_version_required': 'Start version is required',
  'template.build_template_required': 'Build template is required',
  'template.build_template_wrong':
    'Choose a build or deploy template that does not lead back to this one',
  'task.build_required': 'Build version is required',
  'task.build_wrong': 'Choose a successful task of the build template',
  'template.app_unknown': 'There is no such app',
  'app.path': 'Give an absolute path, or the name of a program',
  'template.vault_repeated': 'Another vault of this template has this name',
  'alert_channel.address_required': 'Address is required',
  'alert_channel.address_invalid': 'Give an address that begins with https:// or http://',
  'alert_channel.address_login': 'Leave login and password out of the address',
  'alert_channel.topic_required':
    'Give the address of a topic, for example https://ntfy.example.com/topic',
  'alert_channel.secret_required': 'Token is required',
  'alert_channel.token_invalid': 'Give the token of a bot, for example 123456:ABC-DEF',
  'alert_channel.chat_required': 'Chat is required',
  'alert_channel.chat_invalid': 'Give the number of a chat, or the name of a channel with its @',
  'alert_channel.type_kept': 'Give address and secret anew to change the type',
  'alert_channel.mail_not_set_up':
    'This server cannot send e-mail yet. An administrator can set SIGNALBOX_SMTP_URL',
  'survey.name_repeated': 'Another variable has this name',
  'survey.title_required': 'Title is required',
  'survey.values_required': 'Enumeration must have values.',
  'survey.answer_required': '{{title}} is required',
  'survey.answer_integer': '{{title}} must be integer',
  'survey.answer_boolean': '{{title}} must be true or false',
  'survey.answer_option': '{{title}} must be one of the offered values',
} as const satisfies Record<string, string>;

export type FieldCode = keyof typeof fieldCatalogue;
export const fieldCodes = Object.keys(fieldCatalogue) as FieldCode[];

type Placeholder<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

export type Params = Record<string, string | number>;
export type ParamsOf<Code extends ErrorCode> = {
  [Name in Placeholder<(typeof catalogue)[Code][1]>]: string | number;
};

export interface FieldError {
  path: string;
  code: FieldCode;
  message: string;
  params?: Params;
}

/** The body of every answer with a status of 400 or more. */
export interface ErrorBody {
  error: string;
  code: ErrorCode;
  params: Params;
  fields?: FieldError[];
  request_id: string;
  /** Only for the deletion of something in use; clients of the older API look for it. */
  inUse?: true;
}

export function statusOf(code: ErrorCode): number {
  return catalogue[code][0];
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(catalogue, text);
}

export function isFieldCode(text: string): text is FieldCode {
  return Object.hasOwn(fieldCatalogue, text);
}

export function errorText(code: ErrorCode): string {
  return catalogue[code][1];
}

export function fieldText(code: FieldCode): string {
  return fieldCatalogue[code];
}

/** Puts the parameters into a sentence of a catalogue. */
export function fillIn(text: string, params: Params): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(params[name] ?? whole));
}
