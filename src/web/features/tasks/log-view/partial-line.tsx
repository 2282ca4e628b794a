import { useSyncExternalStore } from 'react';
import { t } from '../../../lib/i18n.ts';
import type { LogStore } from '../log/log-store.ts';
import { parseAnsi } from './ansi.ts';
import { Segment } from './log-row.tsx';
import classes from './partial-line.module.css';

/** The last line while it has no line break yet. */
export function PartialLine({ store }: { store: LogStore }) {
  const text = useSyncExternalStore(store.watch, store.partial);
  if (text === '') return null;
  return (
    <div
      className={`smaller font-mono bg-log absolute overflow-hidden ${classes.partial}`}
      role="note"
      aria-label={t('log.partial')}
    >
      {parseAnsi(text).map((segment, index) => (
        <Segment key={index} {...segment} />
      ))}
    </div>
  );
}
