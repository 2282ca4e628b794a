// Notes for somebody who has restored a project from a backup of another product, as codes with
// English sentences, as in errors.ts.

const catalogue = {
  'restored.schedule_off':
    'The schedule of the template "{{name}}" starts it when its repository has new commits. It is switched off.',
  'restored.environment_added':
    'The template "{{name}}" had no environment, which it needs here. It got one without variables.',
  'restored.always_runs':
    'The integration "{{name}}" has no matchers, so it launches its template at every request that it accepts.',
} as const satisfies Record<string, string>;

export type RestoreNote = keyof typeof catalogue;
export const restoreNotes = Object.keys(catalogue) as [RestoreNote, ...RestoreNote[]];

export function restoreNoteText(code: RestoreNote): string {
  return catalogue[code];
}
