import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../lib/api.ts';
import { errorWords, fieldWords } from '../../lib/error-words.ts';
import { t, timeTag } from '../../lib/i18n.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import classes from './cron-field.module.css';
import { scheduleQueries } from './schedules.queries.ts';
import { type Input, ZoneSelect } from './zone-select.tsx';
import { codeInput } from '../../resources/code-input.ts';

interface CronFieldProps {
  projectId: number;
  label: string;
  description?: ReactNode;
  required?: boolean;
  cron: Input;
  /** Empty for the time zone of the server. */
  zone: Input;
}

const presets = [
  ['hourly', '0 * * * *'],
  ['nightly', '0 2 * * *'],
  ['workdays', '0 6 * * 1-5'],
  ['weekly', '0 6 * * 1'],
  ['monthly', '0 6 1 * *'],
] as const;

export function CronField(props: CronFieldProps) {
  const { projectId, label, description, required = false, cron, zone } = props;
  const text = cron.value ?? '';
  return (
    <div className="column gap-8 min-w-0">
      <div
        className="grid items-end gap-12"
        style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(170px, 1fr))' }}
      >
        <TextInput
          label={label}
          description={description}
          required={required}
          placeholder="0 0 * * *"
          {...codeInput}
          {...cron}
          onChange={(event) => cron.onChange?.(event.currentTarget.value)}
        />
        <ZoneSelect projectId={projectId} {...zone} />
      </div>
      <fieldset className={`flex wrap gap-6 ${classes.presets}`} aria-label={t('schedule.presets')}>
        {presets.map(([name, value]) => (
          <Button
            key={name}
            variant="default"
            size="compact-xs"
            aria-pressed={text.trim() === value}
            onClick={() => cron.onChange?.(value)}
          >
            {t(`schedule.preset.${name}`)}
          </Button>
        ))}
      </fieldset>
      {text.trim() !== '' && (
        <Meaning projectId={projectId} text={text.trim()} zone={zone.value ?? ''} />
      )}
    </div>
  );
}

function Meaning({ projectId, text, zone }: { projectId: number; text: string; zone: string }) {
  const [asked] = useDebouncedValue(text, 250);
  const { data: sentence } = useQuery(scheduleQueries.sentence());
  const { data, error } = useQuery({
    ...scheduleQueries.next(projectId, asked, zone),
    placeholderData: keepPreviousData,
  });
  return (
    <output
      className={`column gap-2 small bg-sunken border rounded-6 ${classes.meaning}`}
      data-wrong={error ? true : undefined}
    >
      {error ? (
        reasonOf(error)
      ) : (
        <>
          <span className="weight-550 break">
            {[sentence?.(asked) ?? asked, data?.time_zone ?? zone].filter(Boolean).join(' · ')}
          </span>
          <span className="soft">
            {t('schedule.next_times', { zone: data?.time_zone ?? zone })}
          </span>
          {data ? <NextTimes times={data.next} zone={data.time_zone} /> : <Skeleton width={180} />}
        </>
      )}
    </output>
  );
}

function reasonOf(error: unknown): string {
  const [field] = error instanceof ApiError ? (error.body.fields ?? []) : [];
  return field ? fieldWords(field.code, field.params, field.message) : errorWords(error);
}

function NextTimes({ times, zone }: { times: string[]; zone: string }) {
  const format = new Intl.DateTimeFormat(timeTag(), {
    timeZone: zone,
    weekday: 'short',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (
    <ul>
      {times.map((time) => (
        <li key={time} className="numbers">
          <time dateTime={time}>{format.format(Date.parse(time))}</time>
        </li>
      ))}
    </ul>
  );
}
