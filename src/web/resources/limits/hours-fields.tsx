import { Checkbox, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { dayName } from '../../lib/time.ts';
import { languageTag, t } from '../../lib/i18n.ts';
import { type LimitValues, newHours, type ZoneRenderer } from './limit-values.ts';

interface Props {
  value: LimitValues['hours'];
  onChange: (hours: LimitValues['hours']) => void;
  errors: Record<string, ReactNode>;
  renderZone: ZoneRenderer;
}

const days = [1, 2, 3, 4, 5, 6, 7];

/** The days and hours in which tasks may be started. */
export function HoursFields({ value, onChange, errors, renderZone }: Props) {
  return (
    <>
      <Checkbox
        label={t('access.limits.hours')}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? newHours() : null)}
      />
      {value && (
        <div className="column gap-10">
          <fieldset>
            <legend className="weight-550" style={{ padding: 0 }}>
              {t('access.limits.days')}
            </legend>
            <div className="flex wrap gap-8-16 pt-4">
              {days.map((day) => (
                <Checkbox
                  key={day}
                  label={dayName(day, languageTag)}
                  checked={value.days.includes(day)}
                  onChange={(event) => {
                    const isOn = event.currentTarget.checked;
                    const chosen = days.filter((one) =>
                      one === day ? isOn : value.days.includes(one),
                    );
                    onChange({ ...value, days: chosen });
                  }}
                />
              ))}
            </div>
            {errors['limits.hours.days'] && (
              <p className="small color-danger">{errors['limits.hours.days']}</p>
            )}
          </fieldset>
          <div className="row wrap items-start gap-8">
            {(['from', 'to'] as const).map((side) => (
              <TextInput
                key={side}
                type="time"
                label={t(`access.limits.${side}`)}
                value={value[side]}
                error={errors[`limits.hours.${side}`]}
                onChange={(event) => onChange({ ...value, [side]: event.currentTarget.value })}
              />
            ))}
          </div>
          {renderZone({
            value: value.time_zone,
            onChange: (zone) => onChange({ ...value, time_zone: zone }),
            error: errors['limits.hours.time_zone'],
          })}
        </div>
      )}
    </>
  );
}
