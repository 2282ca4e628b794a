// Converts what a backup of the older API writes differently or leaves out.

import { kindOf } from '#shared/apps.ts';
import type { Item, Items } from './given.ts';
import { note, type Note } from './older-forms.ts';

/** Adds what the resources of the backup need here; answers notes about it. */
export function fillOlder(items: Items): Note[] {
  const notes: Note[] = [];
  if (items.templates.length > 0) notes.push(note('templates', 'restored.opened'));
  for (const template of items.templates) {
    addSchedule(items, template, notes);
    addEnvironment(items, template, notes);
  }
  for (const { path, given } of items.integrations) {
    if (given.matchers?.length) continue;
    // With the older API this integration would never launch a task.
    notes.push(note(path, 'restored.always_runs', given.name));
  }
  return notes;
}

/** Converts the one schedule of a template, which asks its repository for new commits. */
function addSchedule(items: Items, { path: template, given }: Item<'templates'>, notes: Note[]) {
  const { name = '', repository, cron } = given;
  if (!cron) return;
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

const emptyName = 'Empty';

/** Adds an empty environment, which the older API does not require for playbooks. */
function addEnvironment(
  items: Items,
  { path, wrong, given }: Item<'templates'>,
  notes: Note[],
): void {
  if (wrong.has('environment') || wrong.has('app')) return;
  if (given.environment !== undefined || kindOf(given.app ?? 'ansible') !== 'ansible') return;
  given.environment = emptyName;
  notes.push(note(`${path}.environment`, 'restored.environment_added', given.name));
  const isThere = items.environments.some((one) => one.given.name?.trim() === emptyName);
  if (!isThere) {
    const empty = { name: emptyName };
    items.environments.push({ path: 'environments', wrong: new Set(), given: empty });
  }
}
