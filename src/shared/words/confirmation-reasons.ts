// Why a plan waits for a person whatever approves plans otherwise, as codes with English sentences, as in
// errors.ts.

import { fillIn, type Params } from '../errors.ts';

const catalogue = {
  'confirmation.repository_changed':
    'The state of this template (objects: {{objects}}) was made from the repository {{before}}; it is {{now}} now. Check what the plan destroys.',
  'confirmation.folder_changed':
    'The state of this template (objects: {{objects}}) was made from the folder {{before}}; it is {{now}} now. Check what the plan destroys.',
  'confirmation.configuration_changed':
    'The state of this template (objects: {{objects}}) was made from the repository {{repository_before}}, folder {{folder_before}}; it is {{repository}}, folder {{folder}} now. Check what the plan destroys.',
  'confirmation.workspace_changed':
    'The state of the workspace {{workspace}} is empty, while that of {{other}} is not (objects: {{objects}}). Was the workspace renamed, or the inventory taken away?',
  'confirmation.state_gone':
    'The state that earlier runs of this template have kept is not on this server any more. What is planned here would create everything a second time.',
  'confirmation.state_elsewhere':
    'There is no state of this template on {{server}}: the last run that applied a plan was on {{before}}. What is planned here would create everything a second time.',
  'confirmation.state_replaced':
    'Somebody has put another state in the place of the one in use ({{time}}). Check that the plan fits what exists.',
  'confirmation.restored':
    'This template was restored from a backup, which has no states, and there is no state of it on {{server}}. If its objects exist already, the plan would create them a second time.',
} as const satisfies Record<string, string>;

export type ConfirmationCode = keyof typeof catalogue;
export const confirmationCodes = Object.keys(catalogue) as [
  ConfirmationCode,
  ...ConfirmationCode[],
];

/** The sentence of a code, before its parameters are filled in. */
export const confirmationText = (code: ConfirmationCode): string => catalogue[code];

export interface ConfirmationReason {
  code: ConfirmationCode;
  params: Params;
}

/** The English sentence of a reason. */
export const confirmationWords = ({ code, params }: ConfirmationReason): string =>
  fillIn(confirmationText(code), params);
