// A plan in one line, as Terraform says it: a replacement is destroyed and added.

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

/** "Plan: 3 to add, 1 to change, 0 to destroy", with the number of replacements if there are some. */
export function planWords(counts: PlanCounts): string {
  const words = t('plan.summary', { ...sumsOf(counts) });
  return counts.replace === 0
    ? words
    : `${words} ${t('plan.of_them_replaced', { replaced: counts.replace })}`;
}
