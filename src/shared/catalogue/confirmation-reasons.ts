// Why a task must be confirmed although it was approved.

import { type Coded, type CodeOf, defineCatalogue } from './catalogue.ts';

export const confirmationReasons = defineCatalogue({
  'confirmation.repository_changed':
    'The state of this template (objects: {{objects}}) was made from the repository {{before}}; it is {{now}} now. Check what the plan destroys.',
  'confirmation.folder_changed':
    'The state of this template (objects: {{objects}}) was made from the folder {{before}}; it is {{now}} now. Check what the plan destroys.',
  'confirmation.configuration_changed':
    'The state of this template (objects: {{objects}}) was made from the repository {{repository_before}}, folder {{folder_before}}; it is {{repository}}, folder {{folder}} now. Check what the plan destroys.',
  'confirmation.workspace_changed':
    'The state of the workspace {{workspace}} is empty, while that of {{other}} is not (objects: {{objects}}). Was the workspace renamed, or the inventory removed?',
  'confirmation.state_gone':
    'The state from earlier runs of this template is no longer on this server. The plan would create everything a second time.',
  'confirmation.state_elsewhere':
    'There is no state of this template on {{server}}: the last run that applied a plan was on {{before}}. The plan would create everything a second time.',
  'confirmation.state_replaced':
    'Someone replaced the state in use ({{time}}). Check that the plan fits what exists.',
  'confirmation.second_person':
    'The role of {{user}}, who has started this task, asks for a second person: someone else has to confirm it.',
  'confirmation.restored':
    'This template was restored from a backup, which has no states, and there is no state of it on {{server}}. If its objects exist already, the plan would create them a second time.',
});
export type ConfirmationReason = Coded<CodeOf<typeof confirmationReasons>>;
