import type { PlanCounts } from '#shared/api/task-plan.ts';
import { numberText } from '../../../lib/i18n.ts';
import { furtherOf, planWords, sumsOf } from './plan-words.ts';

const signs = { add: '+', change: '~', destroy: '−', further: '…' } as const;

/**
 * The counts of a plan in Terraform's symbols, for rows of lists; null if the plan has no changes.
 */
export function PlanSigns({ plan }: { plan: PlanCounts | null }) {
  if (!plan) return null;
  const parts = Object.entries({ ...sumsOf(plan), further: furtherOf(plan) }).filter(
    ([, sum]) => sum > 0,
  );
  if (parts.length === 0) return null;
  const words = planWords(plan);
  return (
    <span
      className="inline-flex flex-none smaller numbers soft nowrap relative"
      style={{ gap: 7, marginLeft: 6 }}
      title={words}
    >
      <span className="visually-hidden">{words}</span>
      {parts.map(([name, sum]) => (
        <span
          key={name}
          className={name === 'destroy' ? 'color-danger weight-650' : ''}
          aria-hidden="true"
        >
          {signs[name as keyof typeof signs]}
          {numberText(sum)}
        </span>
      ))}
    </span>
  );
}
