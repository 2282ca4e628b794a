// The summary line of a plan, as Terraform prints it: a replacement counts as destroyed and added.
// Other changes follow.

import type { PlanCounts } from '#shared/api/task-plan.ts';
import { t } from '../../../lib/i18n.ts';

interface Sums {
  add: number;
  change: number;
  destroy: number;
}

export const sumsOf = (counts: PlanCounts): Sums => ({
  add: counts.create + counts.replace,
  change: counts.update,
  destroy: counts.delete + counts.replace,
});

const further = [
  'forget',
  'import',
  'move',
  'outputs',
  'drift',
  'invoke',
  'defer',
  'other',
] as const satisfies (keyof PlanCounts)[];

/** The number of other changes. */
export const furtherOf = (counts: PlanCounts): number =>
  further.reduce((sum, name) => sum + (counts[name] ?? 0), 0);

/**
 * "Plan: 3 to add, 1 to change, 0 to destroy", with the numbers of replacements and other changes.
 */
export function planWords(counts: PlanCounts): string {
  const more = further
    .filter((name) => (counts[name] ?? 0) > 0)
    .map((name) => t(`plan.more.${name}`, { amount: counts[name] }));
  const replaced = counts.replace > 0 && t('plan.of_them_replaced', { replaced: counts.replace });
  const words = [t('plan.summary', { ...sumsOf(counts) }), replaced].filter(Boolean).join(' ');
  return [words, ...more].join('; ');
}
