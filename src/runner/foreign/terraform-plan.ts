// Reads what `terraform show -json` prints of a saved plan: the format 1.x of Terraform and OpenTofu.
// Of values only the names are read.

import type { PlanAction, PlanChange, RunPlan } from '#shared/api/task-plan.ts';

const mostChanges = 10_000;
/** All texts of the changes together, in characters: a request of a runner has a limit. */
const mostCharacters = 2 * 1024 * 1024;
const mostAttributes = 50;
/** In characters. More than the server keeps, so that secrets are hidden before texts are cut. */
const longestText = 2000;

/** Null: the text is not a plan in a known format. */
export function readPlan(text: string): RunPlan | null {
  const plan = objectOf(JSON.parse(text));
  if (!textOf(plan['format_version']).startsWith('1.')) return null;
  const all = listOf(plan['resource_changes']).map(objectOf).flatMap(changeOf);
  const counts = { create: 0, update: 0, replace: 0, delete: 0, read: 0 };
  for (const { action } of all) {
    if (Object.hasOwn(counts, action)) counts[action as keyof typeof counts] += 1;
  }
  const changes = bounded(all);
  return { counts, changes, is_complete: changes.length === all.length };
}

type Fields = Record<string, unknown>;

const objectOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, longestText) : '';

// A replacement destroys first or creates first. What is created beside one that is only forgotten
// destroys nothing.
const actions: Record<string, PlanAction> = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  read: 'read',
  forget: 'forget',
  'delete,create': 'replace',
  'create,delete': 'replace',
  'create,forget': 'create',
  'forget,create': 'create',
};

function changeOf(resource: Fields): PlanChange[] {
  const change = objectOf(resource['change']);
  const movedFrom = textOf(resource['previous_address']) || null;
  const isImported = typeof change['importing'] === 'object' && change['importing'] !== null;
  const action = actionOf(listOf(change['actions']).join(','), movedFrom, isImported);
  if (action === null) return [];
  const deposed = textOf(resource['deposed']);
  const isCompared = action === 'update' || action === 'replace';
  return [
    {
      address: `${textOf(resource['address'])}${deposed && ` (deposed object ${deposed})`}`,
      type: textOf(resource['type']),
      provider: textOf(resource['provider_name']),
      action,
      reason: textOf(resource['action_reason']) || null,
      moved_from: movedFrom,
      is_imported: isImported,
      attributes: isCompared ? changedNames(change) : [],
      forcing: action === 'replace' ? forcingNames(change) : [],
    },
  ];
}

/** Null: nothing happens to the resource. */
function actionOf(
  actionsOfPlan: string,
  movedFrom: string | null,
  isImported: boolean,
): PlanAction | null {
  if (actionsOfPlan !== 'no-op') return actions[actionsOfPlan] ?? 'other';
  if (isImported) return 'import';
  return movedFrom === null ? null : 'move';
}

/** The names of the attributes whose value changes, or is not known before the plan is applied. */
function changedNames(change: Fields): string[] {
  const [before, after] = [objectOf(change['before']), objectOf(change['after'])];
  const unknown = objectOf(change['after_unknown']);
  const names = [...new Set([before, after, unknown].flatMap(Object.keys))];
  const isChanged = (name: string): boolean =>
    holdsTrue(unknown[name]) || JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return names.filter(isChanged).slice(0, mostAttributes).map(textOf);
}

/** `after_unknown` has the value true, at any depth, where a value is not known. */
const holdsTrue = (value: unknown): boolean =>
  value === true ||
  (typeof value === 'object' && value !== null && Object.values(value).some(holdsTrue));

const forcingNames = (change: Fields): string[] => {
  const paths = listOf(change['replace_paths']).map((path) => textOf(listOf(path)[0]));
  return [...new Set(paths.filter((name) => name !== ''))].slice(0, mostAttributes);
};

/** The first changes, up to the limits. */
function bounded(all: PlanChange[]): PlanChange[] {
  let characters = 0;
  const end = all.findIndex((change) => {
    characters += JSON.stringify(change).length;
    return characters > mostCharacters;
  });
  return all.slice(0, Math.min(end < 0 ? all.length : end, mostChanges));
}
