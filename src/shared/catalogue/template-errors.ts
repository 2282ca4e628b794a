// Refusals about the apps of templates and Terraform states: a part of the catalogue of errors.

export const templateErrors = {
  'template.app_inactive': [409, 'The app "{{app}}" is disabled. An administrator can enable it.'],
  'template.app_unavailable': [
    409,
    'The program "{{program}}" is not installed on the server, so this template cannot run. Ask an administrator to install it.',
  ],
  'state.in_use': [
    409,
    'Task #{{task}} of this template has not ended yet and may change the state. Wait until it ends, or stop it.',
  ],
  'state.not_found': [404, 'This state is no longer on the runner. Reload the page.'],
  'state.unreadable': [409, 'This file contains no readable state, so nothing was changed.'],
  'state.runner_silent': [
    409,
    'The runner {{runner}} does not respond. Try again when it is connected.',
  ],
} as const satisfies Record<string, readonly [status: number, text: string]>;
