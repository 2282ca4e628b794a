import {
  IconCircleCheck,
  IconCircleX,
  IconEyeOff,
  IconLifebuoy,
  IconPencil,
  IconPlayerSkipForward,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import type { Host } from '#shared/api/hosts.ts';
import { type ResultState, resultStates } from '#shared/api/run-results.ts';
import { t } from '../../lib/i18n.ts';
import { roomForChips } from '../../ui/lists/column-room.ts';
import { type ChipStyles, StateChip } from '../../ui/feedback/state-chip.tsx';
import classes from './host-outcome.module.css';

const size = 15;
const looks: ChipStyles<ResultState> = {
  ok: { tone: 'success', icon: <IconCircleCheck size={size} /> },
  changed: { tone: 'warning', icon: <IconPencil size={size} /> },
  skipped: { tone: 'neutral', icon: <IconPlayerSkipForward size={size} /> },
  ignored: { tone: 'warning', icon: <IconEyeOff size={size} /> },
  rescued: { tone: 'warning', icon: <IconLifebuoy size={size} /> },
  failed: { tone: 'danger', icon: <IconCircleX size={size} /> },
  unreachable: { tone: 'danger', icon: <IconPlugConnectedX size={size} /> },
};
const wordsOf = (outcome: ResultState): string => t(`host.outcome.${outcome}`);

export const roomForOutcomes = () => roomForChips(resultStates.map(wordsOf));

export function OutcomeChip({ outcome }: { outcome: ResultState }) {
  return <StateChip state={outcome} looks={looks} words={wordsOf} />;
}

// Each outcome has a sign, so that its colour is not the only difference.
const signs: Record<ResultState, string> = {
  ok: '✓',
  changed: '±',
  skipped: '–',
  ignored: '?',
  rescued: '↺',
  failed: '×',
  unreachable: '!',
};

export const ResultCell = ({ results }: Pick<Host, 'results'>) => (
  <span className={`block ${classes.room}`}>
    <ResultStrip results={results} />
  </span>
);

/** The last results of a host as small squares, the newest at the end. */
export function ResultStrip({ results }: Pick<Host, 'results'>) {
  if (results.length === 0) return <span className="soft">—</span>;
  const named = results.map(({ task_id: id, outcome, dry_run: isDryRun }) => {
    const words = t('host.result', { id, outcome: wordsOf(outcome) });
    const kind = isDryRun ? ` (${t('new_task.dry_run')})` : '';
    return { id, outcome, isDryRun, words: `${words}${kind}` };
  });
  return (
    <span
      className={`inline-flex wrap ${classes.strip}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the squares together are one picture
      role="img"
      aria-label={`${t('host.results')}: ${named.map(({ words }) => words).join(', ')}`}
    >
      {named.map(({ id, outcome, isDryRun, words }) => (
        <span
          key={id}
          className={`weight-650 text-center tone-${looks[outcome].tone} ${classes.square}`}
          data-dry-run={isDryRun || undefined}
          title={words}
        >
          {signs[outcome]}
        </span>
      ))}
    </span>
  );
}
