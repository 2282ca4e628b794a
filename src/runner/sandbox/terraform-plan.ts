// Parses the output of `terraform show -json` for a saved plan, in the format 1.x of Terraform and OpenTofu. Of values
// only the names are read.

import type { PlanAction, PlanChange, PlanCounts, RunPlan } from '#shared/api/task-plan.ts';

const MAX_CHANGES = 10_000;
/** Of all texts of the changes: a request of a runner is limited. */
const MAX_CHARACTERS = 2 * 1024 * 1024;
const MAX_ATTRIBUTES = 50;
/** More than the server stores, so that secrets are masked before texts are cut. */
const MAX_TEXT_LENGTH = 2000;

/** Null: not a plan in a known format. */
export function readPlan(text: string): RunPlan | null {
  const plan = objectOf(JSON.parse(text));
  if (!textOf(plan['format_version']).startsWith('1.')) return null;
  const all = changesOf(plan);
  const changes = bounded(all);
  return {
    counts: countsOf(all),
    changes,
    is_complete: changes.length === all.length,
    is_whole: isWhole(plan, all),
  };
}

/** OpenTofu has no `complete`, Terraform since 1.8. */
function isWhole({ complete }: Fields, all: PlanChange[]): boolean | null {
  if (complete === false || all.some(({ action }) => action === 'defer')) return false;
  return complete === true ? true : null;
}

/** All parts of a plan that can change something. */
function changesOf(plan: Fields): PlanChange[] {
  const part = (name: string): Fields[] => listOf(plan[name]).map(objectOf);
  const planned = part('resource_changes').flatMap(changeOf);
  const deferred = part('deferred_changes').flatMap(deferredOf);
  const addresses = new Set([...planned, ...deferred].map(({ address }) => address));
  return [
    ...planned,
    // The drift of a resource is part of its own change.
    ...part('resource_drift')
      .flatMap(driftOf)
      .filter(({ address }) => !addresses.has(address)),
    ...part('action_invocations').map((action) => actionChange('invoke', action)),
    ...deferred,
    ...part('deferred_action_invocations').map((entry) => ({
      ...actionChange('defer', objectOf(entry['action_invocation'])),
      reason: textOf(entry['reason']) || null,
    })),
    ...Object.entries(objectOf(plan['output_changes'])).flatMap(outputOf),
    ...Object.keys(plan)
      .filter((name) => !knownParts.has(name) && isFilled(plan[name]))
      .map((name) => changeNamed({ kind: 'other', address: textOf(name), action: 'other' })),
  ];
}

// Other parts may be changes that this version does not know.
const knownParts = new Set(
  (
    'format_version terraform_version variables planned_values proposed_unknown resource_drift ' +
    'resource_changes deferred_changes output_changes action_invocations relevant_attributes ' +
    'deferred_action_invocations prior_state configuration checks timestamp applyable complete errored'
  ).split(' '),
);

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

type Fields = Record<string, unknown>;

const objectOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : '';

// A replacement destroys first or creates first. `forget` destroys nothing.
const actions: Record<string, PlanAction> = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  read: 'read',
  forget: 'forget',
  'delete,create': 'replace',
  'create,delete': 'replace',
  'create,forget': 'forget_create',
  'forget,create': 'forget_create',
};

function changeOf(resource: Fields): PlanChange[] {
  const change = objectOf(resource['change']);
  const movedFrom = textOf(resource['previous_address']) || null;
  const isImported = typeof change['importing'] === 'object' && change['importing'] !== null;
  const action = actionOf(listOf(change['actions']).join(','), movedFrom, isImported);
  if (action === null) return [];
  const isCompared = action === 'update' || action === 'replace' || action === 'forget_create';
  return [
    changeNamed({
      ...namesOf(resource),
      action,
      reason: textOf(resource['action_reason']) || null,
      moved_from: movedFrom,
      is_imported: isImported,
      attributes: isCompared ? changedNames(change) : [],
      forcing: action === 'replace' ? forcingNames(change) : [],
    }),
  ];
}

const changeNamed = (fields: Pick<PlanChange, 'address' | 'action'> & Partial<PlanChange>) => ({
  type: '',
  provider: '',
  reason: null,
  moved_from: null,
  is_imported: false,
  attributes: [],
  forcing: [],
  ...fields,
});

function namesOf(resource: Fields): Pick<PlanChange, 'address' | 'type' | 'provider'> {
  const deposed = textOf(resource['deposed']);
  return {
    address: `${textOf(resource['address'])}${deposed && ` (deposed object ${deposed})`}`,
    type: textOf(resource['type']),
    provider: textOf(resource['provider_name']),
  };
}

/** Changes outside of Terraform. A refresh-only plan has no others. */
function driftOf(resource: Fields): PlanChange[] {
  const change = objectOf(resource['change']);
  const found = listOf(change['actions']).join(',');
  if (found === 'no-op') return [];
  const isGone = found === 'delete';
  const action = isGone ? 'drift_delete' : 'drift_update';
  return [
    changeNamed({ ...namesOf(resource), action, attributes: isGone ? [] : changedNames(change) }),
  ];
}

const deferredOf = (entry: Fields): PlanChange[] =>
  changeOf(objectOf(entry['resource_change'])).map((change) => ({
    ...change,
    action: 'defer',
    reason: textOf(entry['reason']) || change.reason,
  }));

const actionChange = (action: 'invoke' | 'defer', invocation: Fields): PlanChange =>
  changeNamed({ kind: 'action', ...namesOf(invocation), action });

/** An output that changes although its value does not becomes sensitive, or not sensitive. */
function outputOf([name, value]: [string, unknown]): PlanChange[] {
  const change = objectOf(value);
  const action = actionOf(listOf(change['actions']).join(','), null, false);
  if (action === null) return [];
  const isOther = isChanged(change['before'], change['after'], change['after_unknown']);
  const attributes = action === 'update' ? [isOther ? 'value' : 'sensitive'] : [];
  return [changeNamed({ kind: 'output', address: textOf(name), action, attributes })];
}

/** Null: no change. */
function actionOf(
  actionsOfPlan: string,
  movedFrom: string | null,
  isImported: boolean,
): PlanAction | null {
  if (actionsOfPlan !== 'no-op') return actions[actionsOfPlan] ?? 'other';
  if (isImported) return 'import';
  return movedFrom === null ? null : 'move';
}

/** The names of the attributes whose value changes, or is unknown until apply. */
function changedNames(change: Fields): string[] {
  const [before, after] = [objectOf(change['before']), objectOf(change['after'])];
  const unknown = objectOf(change['after_unknown']);
  const names = [...new Set([before, after, unknown].flatMap(Object.keys))];
  return names
    .filter((name) => isChanged(before[name], after[name], unknown[name]))
    .slice(0, MAX_ATTRIBUTES)
    .map(textOf);
}

const isChanged = (before: unknown, after: unknown, unknown: unknown): boolean =>
  holdsTrue(unknown) || JSON.stringify(before) !== JSON.stringify(after);

/** `after_unknown` is true, at any depth, where a value is unknown. */
const holdsTrue = (value: unknown): boolean =>
  value === true ||
  (typeof value === 'object' && value !== null && Object.values(value).some(holdsTrue));

const forcingNames = (change: Fields): string[] => {
  const paths = listOf(change['replace_paths']).map((path) => textOf(listOf(path)[0]));
  return [...new Set(paths.filter((name) => name !== ''))].slice(0, MAX_ATTRIBUTES);
};

/** The number of changes of each kind. An import, a move and a forgotten object are counted in addition. */
function countsOf(all: PlanChange[]): PlanCounts {
  const counts: PlanCounts = { create: 0, update: 0, replace: 0, delete: 0, read: 0 };
  for (const change of all) {
    for (const name of countedAs(change)) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function countedAs({ kind, action, is_imported, moved_from }: PlanChange): (keyof PlanCounts)[] {
  if (kind === 'output') return ['outputs'];
  if (action === 'defer') return ['defer'];
  const beside: (keyof PlanCounts)[] = [
    ...(is_imported ? (['import'] as const) : []),
    ...(moved_from === null ? [] : (['move'] as const)),
  ];
  if (action === 'import' || action === 'move') return beside;
  if (action === 'forget_create') return ['forget', 'create', ...beside];
  if (action === 'drift_update' || action === 'drift_delete') return ['drift'];
  return [action, ...beside];
}

/** The first changes within the limits. */
function bounded(all: PlanChange[]): PlanChange[] {
  let characters = 0;
  const end = all.findIndex((change) => {
    characters += JSON.stringify(change).length;
    return characters > MAX_CHARACTERS;
  });
  return all.slice(0, Math.min(end < 0 ? all.length : end, MAX_CHANGES));
}
