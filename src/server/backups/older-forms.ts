// Converts resources of backups of all versions of the older API into our form. What has no counterpart is
// dropped and noted with its path.

import type { BackupSection, Restored } from '#shared/api/backups.ts';
import { type Body, isBody, type Reading } from '#shared/compatible/forms.ts';
import { extractCronTimeZone } from '#shared/compatible/schedules.ts';
import { taskParamsForms } from '#shared/compatible/task-params.ts';
import { branchOption } from '#shared/api/matchers.ts';
import { templateForms } from '#shared/compatible/templates.ts';
import { type RestoreNote, restoreNotes } from '#shared/catalogue/restore-notes.ts';
import { kindOf } from '#shared/apps.ts';
import type { Item, Items } from './deep-partial.ts';

export type Note = Restored['notes'][number];

export const note = (
  path: string,
  code: RestoreNote,
  named: string | { name: string; login: string } = '',
): Note => {
  const params = typeof named === 'string' ? { name: named } : named;
  return { path, code, params, text: restoreNotes.message({ code, params }) };
};

export const leftOut = (path: string): Note => note(path, 'restored.field_unknown', path);

/** Whether dropping the value loses nothing. */
export const isEmpty = (value: unknown): boolean =>
  value == null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

interface Part {
  given: Body;
  path: string;
  notes: Note[];
}

type Convert = (part: Part) => Body;

const nameIn = ({ name }: Body): string => (typeof name === 'string' ? name : '');

const converters: Partial<Record<BackupSection, Convert>> = {
  keys({ given, path, notes }) {
    if (given['type'] !== 'string') return given;
    notes.push(note(path, 'restored.key_text', nameIn(given)));
    return { ...given, type: 'login_password' };
  },
  repositories: noteShortCommit,
  inventories({ given, path, notes }) {
    if (given['type'] !== 'file' || !isEmpty(given['inventory'])) return given;
    notes.push(note(`${path}.inventory`, 'restored.file_path', nameIn(given)));
    return { ...given, inventory: '.' };
  },
  templates(part) {
    const isOpen = isBody(part.given['task_params']);
    const given = readForms({ ...part, given: noteShortCommit(part) }, templateForms.read);
    return { ...openLike(given, isOpen), survey_vars: surveyOf({ ...part, given }) };
  },
  schedules(part) {
    const { checkable_repository: repository, ...given } = part.given;
    const named = repository === undefined ? given : { repository, ...given };
    return readForms({ ...part, given: extractCronTimeZone(named) as Body }, taskParamsForms.read);
  },
  integrations(part) {
    return readForms({ ...part, given: withKnownTargets(part) }, taskParamsForms.read);
  },
};

/** Values become variables unless their target is supported. */
function withKnownTargets({ given, path, notes }: Part): Body {
  const { extract_values: values } = given;
  if (!Array.isArray(values)) return given;
  const known = values.map((value: unknown, index) => {
    if (!isBody(value) || value['variable_type'] === undefined) return value;
    const { variable_type: type, ...rest } = value;
    const isKnown =
      type === 'environment' || (type === 'task' && rest['variable'] === branchOption);
    if (isKnown) return value;
    if (!isEmpty(type)) notes.push(leftOut(`${path}.extract_values.${index}.variable_type`));
    return rest;
  });
  return { ...given, extract_values: known };
}

export function convertOlder(
  section: BackupSection | 'meta',
  value: unknown,
  rest: Omit<Part, 'given'>,
) {
  const convert = section === 'meta' ? undefined : converters[section];
  return convert && isBody(value) ? convert({ given: value, ...rest }) : value;
}

/** Converts nested options. Unknown and invalid ones are noted. */
function readForms({ given, path, notes }: Part, read: (body: unknown) => Reading): Body {
  const { body, findings } = read(given);
  if (findings.length === 0) return body as Body;
  const usable = structuredClone(given);
  for (const { path: at } of findings) {
    notes.push(leftOut(`${path}.${at}`));
    remove(usable, at.split('.'));
  }
  return read(usable).body as Body;
}

function remove(from: Body, names: string[]): void {
  const [name = '', ...inner] = names;
  const next = from[name];
  // A list is dropped as a whole.
  if (inner.length > 0 && isBody(next)) remove(next, inner);
  else delete from[name];
}

/** Enables what launches could override in the older API, before templates had flags for it. */
function openLike(given: Body, hasSwitches: boolean): Body {
  return {
    allow_any_variable_in_task: true,
    allow_override_branch_in_task: true,
    ...(!hasSwitches && {
      allow_override_limit_in_task: true,
      allow_override_inventory_in_task: true,
    }),
    ...given,
  };
}

function surveyOf({ given, path, notes }: Part): unknown {
  const { survey_vars: variables } = given;
  if (!Array.isArray(variables)) return variables;
  return variables.map((variable: unknown, index) =>
    isBody(variable)
      ? surveyVariable({ given: variable, path: `${path}.survey_vars.${index}`, notes })
      : variable,
  );
}

/** `select` is a multiple choice there. */
function surveyVariable({ given, path, notes }: Part): Body {
  const { type, default_value: initial } = given;
  const isSelect = type === 'select';
  if (isSelect) notes.push(note(path, 'restored.survey_select', nameIn(given)));
  const kind = isSelect ? 'enum' : type;
  if (!Array.isArray(initial)) return { ...given, type: kind };
  const [only = '', ...further] = initial as unknown[];
  if (further.length === 0) return { ...given, type: kind, default_value: only };
  notes.push(leftOut(`${path}.default_value`));
  return { ...given, type: kind, default_value: '' };
}

/** Abbreviated commits are ambiguous and not supported. */
function noteShortCommit({ given, path, notes }: Part): Body {
  const { git_branch: branch } = given;
  if (typeof branch === 'string' && /^[0-9a-f]{7,39}$/.test(branch)) {
    notes.push(note(`${path}.git_branch`, 'restored.commit_short', nameIn(given)));
  }
  return given;
}

// Completes backups of the older API.

/** Adds missing resources; returns notes. */
export function fillOlder(items: Items): Note[] {
  const notes: Note[] = [];
  if (items.templates.length > 0) notes.push(note('templates', 'restored.opened'));
  for (const template of items.templates) {
    addSchedule(items, template, notes);
    noteInventory(template, notes);
  }
  for (const { path, given } of items.integrations) {
    if (given.matchers?.length) continue;
    // In the older API this integration would never launch a task.
    notes.push(note(path, 'restored.always_runs', given.name));
  }
  return notes;
}

/** Converts the single schedule of a template, which checks its repository for commits. */
function addSchedule(items: Items, { path: template, given }: Item<'templates'>, notes: Note[]) {
  const { name = '', repository, cron } = given;
  if (!cron) return;
  const isThere = items.schedules.some(
    ({ given: one }) =>
      one.template === name && !one.time_zone && one.cron_format?.trim() === cron.trim(),
  );
  if (isThere) return;
  const path = `${template}.cron`;
  const schedule = { template: name, cron_format: cron, active: false };
  const asked = repository === undefined ? schedule : { ...schedule, repository };
  items.schedules.push({
    path,
    isOneField: true,
    wrong: new Set(),
    given: asked,
  });
  notes.push(note(path, 'restored.schedule_off', name));
}

/** Without an inventory, a playbook may run on unexpected hosts. */
function noteInventory({ path, wrong, given }: Item<'templates'>, notes: Note[]): void {
  if (wrong.has('inventory') || wrong.has('app') || given.inventory !== undefined) return;
  if (kindOf(given.app ?? 'ansible') !== 'ansible') return;
  notes.push(note(`${path}.inventory`, 'restored.no_inventory', given.name));
}
