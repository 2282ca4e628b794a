// Refusals about the apps of templates and Terraform states: a part of the catalogue of errors.

export const templateErrors = {
  'template.app_inactive': [
    409,
    'The app "{{app}}" is switched off. An administrator can switch it on.',
  ],
  'template.app_unavailable': [
    409,
    'The program "{{program}}" is not installed on the server, so this template cannot run.',
  ],
  'state.in_use': [
    409,
    'Task #{{task}} of this template has not ended yet and may change the state. Wait for its end, or stop it.',
  ],
  'state.not_found': [404, 'This state is not on the runner any more. Reload the page.'],
  'state.unreadable': [409, 'This file has no state that can be read, so nothing was changed.'],
  'state.runner_silent': [
    409,
    'The runner {{runner}} does not answer. Try again when it is connected.',
  ],
} as const satisfies Record<string, readonly [status: number, text: string]>;
