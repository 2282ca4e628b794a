// The limits of a grant in words.

import type { GrantLimits } from '#shared/grants/limits.ts';
import { languageTag, t } from '../../lib/i18n.ts';

// A Monday.
const firstDay = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

/** 1 for Monday to 7 for Sunday. */
export const dayName = (day: number): string =>
  new Intl.DateTimeFormat(languageTag, { weekday: 'short', timeZone: 'UTC' }).format(
    firstDay + (day - 1) * dayMs,
  );

function hoursText({ days, from, to, time_zone: zone }: NonNullable<GrantLimits['hours']>) {
  const names = days.toSorted((one, other) => one - other).map(dayName);
  return `${names.join(', ')} ${from}–${to} (${zone})`;
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
