import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { ChoiceFilter } from '../../../ui/forms/choice-filter.tsx';
import { nameOf, type Period, periodNames, periodOf } from '../task-filter.ts';

const ownDays = 'days';

interface Props {
  period: Period;
  onPeriod: (period: Period) => void;
}

/** The days on which tasks ended: a preset, or a first and a last day. */
export function PeriodFilter({ period: { from, to }, onPeriod }: Props) {
  const [wanted, setWanted] = useState(false);
  // The day on which the page was opened.
  const [opened] = useState(() => new Date());
  const name = nameOf({ from, to }, opened);
  const hasDays = from !== undefined || to !== undefined;
  const isOwn = wanted || (hasDays && name === null);
  const choose = (chosen: string | undefined) => {
    setWanted(chosen === ownDays);
    const usual = periodNames.find((one) => one === chosen);
    if (usual) onPeriod(periodOf(usual, new Date()));
    else if (chosen === undefined) onPeriod({ from: undefined, to: undefined });
  };
  const day = (side: 'from' | 'to') => (
    <TextInput
      type="date"
      aria-label={t(`activity.${side}`)}
      leftSectionWidth={46}
      leftSection={<span className="soft">{t(`activity.${side}`)}</span>}
      value={(side === 'from' ? from : to) ?? ''}
      onChange={(event) => onPeriod({ [side]: event.currentTarget.value || undefined })}
    />
  );
  return (
    <>
      <ChoiceFilter
        label={t('history.period')}
        options={[...periodNames, ownDays].map((value) => ({
          value,
          label: t(`history.${value as (typeof periodNames)[number] | typeof ownDays}`),
        }))}
        value={isOwn ? ownDays : (name ?? undefined)}
        onChoose={choose}
      />
      {isOwn && day('from')}
      {isOwn && day('to')}
    </>
  );
}
