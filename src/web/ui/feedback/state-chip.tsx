import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { Chip, type Tone } from './chip.tsx';

export type ChipStyles<State extends string> = Record<State, { tone: Tone; icon: ReactNode }>;

interface Props<State extends string> {
  state: State;
  looks: ChipStyles<State>;
  words: (state: State) => string;
}

/**
 * The state of a resource. A newer server may send one that this page does not know: the chip then
 * has its name in the API.
 */
export function StateChip<State extends string>({ state, looks, words }: Props<State>) {
  if (!Object.hasOwn(looks, state)) {
    return (
      <Chip tone="danger" icon={<IconAlertTriangle size={15} />}>
        {t('common.unknown_state', { state })}
      </Chip>
    );
  }
  const { tone, icon } = looks[state];
  return (
    <Chip tone={tone} icon={icon}>
      {words(state)}
    </Chip>
  );
}
