// Completes backups of the older API.

import { kindOf } from '#shared/apps.ts';
import type { Item, Items } from './deep-partial.ts';
import { note, type Note } from './older-forms.ts';

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
