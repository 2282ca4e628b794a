import {
  IconCheck,
  IconEyeOff,
  IconLifebuoy,
  IconPencil,
  IconPlayerSkipForward,
  IconPlugConnectedX,
  IconX,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { ResultState } from '#shared/api/run-results.ts';
import { numberText, t } from '../../../lib/i18n.ts';
import filterClasses from '../filter-buttons.module.css';
import { type Counts, isBad, outcomes } from './outcomes.ts';
import { counts as countColumns } from '../outline/outline.ts';

const icons = {
  unreachable: IconPlugConnectedX,
  failed: IconX,
  rescued: IconLifebuoy,
  ignored: IconEyeOff,
  changed: IconPencil,
  ok: IconCheck,
  skipped: IconPlayerSkipForward,
} satisfies Record<ResultState, unknown>;

const colors: Partial<Record<ResultState, string>> = {
  ok: 'color-success',
  changed: 'color-warning',
  failed: 'color-danger',
  unreachable: 'color-danger',
};

const colorOf = (state: ResultState): string => colors[state] ?? 'soft';

export function OutcomeIcon({ state }: { state: ResultState }) {
  const Icon = icons[state];
  const word = t(`task.hosts.${state}`);
  return (
    <span
      className={`inline-flex flex-none relative ${colorOf(state)}`}
      data-state={state}
      title={word}
    >
      <Icon size={16} aria-hidden="true" />
      <span className="visually-hidden">{word}</span>
    </span>
  );
}

export const countTracks = `repeat(${countColumns.length}, 34px)`;

export const CountHeads = () =>
  countColumns.map((state) => (
    <th key={state} scope="col" className="flex justify-end small numbers">
      <OutcomeIcon state={state} />
    </th>
  ));

export function CountCells({ counts }: { counts: Counts }) {
  return countColumns.map((state) => (
    <td
      key={state}
      className={`flex justify-end small numbers ${counts[state] === 0 ? 'soft' : colorOf(state)} ${counts[state] > 0 && isBad(state) ? 'weight-650' : ''}`}
      title={t(`log.outline.${state}`, { count: counts[state] })}
    >
      {numberText(counts[state])}
    </td>
  ));
}

/** The counts in one line for narrow screens, without zeros. */
export function CountLine({ counts }: { counts: Counts }) {
  return (
    <span className="flex gap-10 flex-none">
      {outcomes
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <span
            key={state}
            className={`inline-flex items-center gap-3 smaller numbers ${colorOf(state)}`}
            title={t(`log.outline.${state}`, { count: counts[state] })}
          >
            <OutcomeIcon state={state} />
            {numberText(counts[state])}
          </span>
        ))}
    </span>
  );
}

interface FilterProps {
  /** Undefined while they are not known. */
  counts: Counts | undefined;
  /** The total; undefined: no numbers are shown. */
  total: number | undefined;
  isOver: boolean;
  value: ResultState | null;
  onChange: (state: ResultState | null) => void;
}

/**
 * Filters by outcome. During and after a run there is a button for each outcome, because a button
 * that appears would move the others under the pointer.
 */
export function OutcomeFilter({ counts, total, isOver, value, onChange }: FilterProps) {
  const [showsAll] = useState(!isOver);
  const numberOf = (state: ResultState) => counts?.[state] ?? 0;
  return (
    <fieldset className={`flex wrap gap-6 scroll-row ${filterClasses.filter}`}>
      <legend className="visually-hidden">{t('run.filter')}</legend>
      <button type="button" aria-pressed={value === null} onClick={() => onChange(null)}>
        {t('run.all')} {total !== undefined && <b>{numberText(total)}</b>}
      </button>
      {outcomes
        .filter((state) => showsAll || numberOf(state) > 0 || state === value)
        .map((state) => (
          <button
            key={state}
            type="button"
            data-none={numberOf(state) === 0 || undefined}
            aria-pressed={value === state}
            onClick={() => onChange(value === state ? null : state)}
          >
            <OutcomeIcon state={state} />
            <span aria-hidden="true">{t(`task.hosts.${state}`)}</span>
            {total !== undefined && <b>{numberText(numberOf(state))}</b>}
          </button>
        ))}
    </fieldset>
  );
}
