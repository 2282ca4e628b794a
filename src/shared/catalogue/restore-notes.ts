// Remarks on a project that was restored from a backup.

import { type CodeOf, defineCatalogue } from './catalogue.ts';

export const restoreNotes = defineCatalogue({
  'restored.schedule_off':
    'The schedule of the template "{{name}}" runs it only with new commits in its repository. The schedule is disabled.',
  'restored.no_inventory':
    'The template "{{name}}" has no inventory. It runs on the hosts that the configuration in its repository names.',
  'restored.always_runs':
    'The integration "{{name}}" has no matchers, so it runs its template at every request that it accepts.',
  'restored.opened':
    'Runs of these templates may set any variable and, where they could before, the branch, the limit and the inventory.',
  'restored.field_unknown': 'The field {{name}} has no counterpart here and was skipped.',
  'restored.survey_select':
    'The survey variable "{{name}}" allowed several values. Here it allows one.',
  'restored.key_text': 'The key "{{name}}" held a single text. Here it is a login with a password.',
  'restored.file_path':
    'The inventory "{{name}}" names no file. It reads the top folder of the repository.',
  'restored.commit_short':
    'The branch of "{{name}}" looks like a shortened commit hash. Enter a branch, a tag or the full hash.',
  'restored.unusable': '"{{name}}" cannot be used here and was skipped.',
  'restored.time_passed':
    'The time of the schedule "{{name}}" has passed. The schedule is disabled.',
  'restored.approver_left_out':
    '{{login}} is not a member of this project and was removed from the approval "{{name}}".',
  'restored.owners_approve':
    'No one in this project could give the approval "{{name}}". Now its owners can.',
});
export type RestoreNote = CodeOf<typeof restoreNotes>;
