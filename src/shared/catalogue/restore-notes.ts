// Remarks on a project that was restored from a backup.

import { type CodeOf, defineCatalogue } from './catalogue.ts';

export const restoreNotes = defineCatalogue({
  'restored.schedule_off':
    'The schedule of the template "{{name}}" starts it when its repository has new commits. It is switched off.',
  'restored.no_inventory':
    'The template "{{name}}" has no inventory. It runs on the hosts that the configuration in its repository names.',
  'restored.always_runs':
    'The integration "{{name}}" has no matchers, so it launches its template at every request that it accepts.',
  'restored.opened':
    'Launches of these templates may set any variable and, where they could before, the branch, the limit and the inventory.',
  'restored.field_unknown': 'The field {{name}} has no counterpart here and was left out.',
  'restored.survey_select':
    'The survey variable "{{name}}" let people choose several values. Here they choose one.',
  'restored.key_text': 'The key "{{name}}" held a single text. Here it is a login with a password.',
  'restored.file_path':
    'The inventory "{{name}}" named no file. It reads the top folder of the repository.',
  'restored.commit_short':
    'The branch of "{{name}}" looks like a shortened commit. Give a branch, a tag or the whole commit.',
  'restored.unusable': '"{{name}}" cannot be used here and was left out.',
  'restored.time_passed': 'The time of the schedule "{{name}}" has passed. It is switched off.',
  'restored.approver_left_out':
    '{{login}} is not a member of this project and was left out of the approval "{{name}}".',
  'restored.owners_approve':
    'Nobody in this project could give the approval "{{name}}". Now its owners may.',
});
export type RestoreNote = CodeOf<typeof restoreNotes>;
