import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import classes from './log-lines.module.css';

interface Props {
  following: boolean;
  atEnd: boolean;
  total: number;
  finished: boolean;
  onJump: () => void;
}

/** Scrolls to the end and follows it; shows the number of new lines. */
export function JumpToEnd({ following, atEnd, total, finished, onJump }: Props) {
  const [seen, setSeen] = useState(total);
  // After opening by the address of a line, only later lines count as new.
  if ((following || seen === 0) && seen !== total) setSeen(total);
  if (following || total === 0 || (finished && atEnd)) return null;
  const count = total - seen;
  return (
    <Button
      className={`shadow absolute ${classes.jump}`}
      size="compact-md"
      leftSection={<IconArrowDown size={16} />}
      onClick={onJump}
    >
      {finished ? t('log.to_end') : t('log.follow')}
      {count > 0 && <span className={`numbers ${classes.since}`}>{t('log.since', { count })}</span>}
    </Button>
  );
}
