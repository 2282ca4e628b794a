import { Switch, TextInput } from '@mantine/core';
import type { ComponentProps } from 'react';
import { t } from '../../lib/i18n.ts';
import { fromWallClock, toWallClock } from '../../lib/wall-clock.ts';
import { type Input, useServerZone, ZoneSelect } from './zone-select.tsx';

interface Props {
  projectId: number;
  /** A time in UTC; empty for none. */
  time: Input;
  /** Empty for the time zone of the server. */
  zone: Input;
  deletion: ComponentProps<typeof Switch>;
}

export function OnceField({ projectId, time, zone, deletion }: Props) {
  const server = useServerZone(projectId) ?? 'UTC';
  const inZone = zone.value || server;
  const shown = time.value ? toWallClock(time.value, inZone) : '';
  const set = (clock: string, timeZone: string) =>
    time.onChange?.(clock === '' ? '' : fromWallClock(clock, timeZone));
  return (
    <div className="column gap-8 min-w-0">
      <div
        className="grid items-end gap-12"
        style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(170px, 1fr))' }}
      >
        <TextInput
          type="datetime-local"
          label={t('schedule.run_at')}
          required
          value={shown}
          error={time.error}
          onChange={(event) => set(event.currentTarget.value, inZone)}
        />
        <ZoneSelect
          projectId={projectId}
          {...zone}
          onChange={(chosen) => {
            zone.onChange?.(chosen);
            set(shown, chosen || server);
          }}
        />
      </div>
      <Switch label={t('schedule.delete_after_run')} {...deletion} />
    </div>
  );
}
