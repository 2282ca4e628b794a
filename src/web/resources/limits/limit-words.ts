// The limits of a grant in words.

import type { GrantLimits } from '#shared/grants/limits.ts';
import { dayName } from '../../lib/time.ts';
import { languageTag, t } from '../../lib/i18n.ts';

function hoursText({ days, from, to, time_zone: zone }: NonNullable<GrantLimits['hours']>) {
  const names = days.toSorted((one, other) => one - other).map((day) => dayName(day, languageTag));
  const values = `${from}–${to} (${zone})`;
  return t('access.limits.said.hours', { days: names.join(', '), values });
}

const lists = ['tags', 'hosts', 'branches'] as const;

/** Empty without limits. */
export const limitsText = (limits: GrantLimits): string =>
  [
    ...lists
      .filter((name) => limits[name].length > 0)
      .map((name) => t(`access.limits.said.${name}`, { values: limits[name].join(', ') })),
    ...Object.entries(limits.answers).map(([name, values]) =>
      t('access.limits.said.answer', { name, values: values.join(', ') }),
    ),
    ...(['dry_run', 'second_person'] as const)
      .filter((name) => limits[name])
      .map((name) => t(`access.limits.said.${name}`)),
    ...(limits.hours ? [hoursText(limits.hours)] : []),
  ].join(' · ');
