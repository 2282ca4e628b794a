import { Suspense } from 'react';
import type { ZoneRenderer } from '../../resources/limits/limit-values.ts';
import { t } from '../../lib/i18n.ts';
import { lazyExport } from '../../ui/lazy-export.ts';

const ZoneChoice = lazyExport(
  () => import('../../features/schedules/zone-choice.tsx'),
  'ZoneChoice',
);

/** The time zone of the hours of a grant; the schedules own the choice. */
export const renderZone: ZoneRenderer = ({ value, onChange, error }) => (
  <Suspense>
    <ZoneChoice
      label={t('schedule.time_zone')}
      required
      value={value}
      onChange={(zone) => onChange(zone ?? '')}
      error={error}
    />
  </Suspense>
);
