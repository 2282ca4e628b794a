import type { PlanCounts } from '#shared/api/task-plan.ts';
import { languageTag } from '../../../lib/i18n.ts';
import { furtherOf, planWords, sumsOf } from './plan-words.ts';

const signs = { add: '+', change: '~', destroy: '−', further: '…' } as const;

/** What a plan does, in the signs of Terraform, for rows of lists; nothing if it changes nothing. */
export function PlanSigns({ plan }: { plan: PlanCounts | null }) {
  if (!plan) return null;
  const number = new Intl.NumberFormat(languageTag);
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
          {number.format(sum)}
        </span>
      ))}
    </span>
  );
}
