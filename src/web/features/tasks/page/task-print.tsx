import { Suspense, useEffect, useEffectEvent, useRef } from 'react';
import type { WholeTask } from '#shared/api/tasks.ts';
import { listenToPrintKeys } from '../../../lib/shortcuts.ts';
import { lazyExport } from '../../../ui/lazy-export.ts';

const PrintSheet = lazyExport(() => import('./print-sheet.tsx'), 'PrintSheet');

interface Props {
  task: WholeTask;
  isPrinting: boolean;
  onPrinting: (isPrinting: boolean) => void;
}

/**
 * Prints a task as a document, with its whole log, instead of the part that is on the screen. The
 * browser's keys for printing do so too.
 */
export function TaskPrint({ task, isPrinting, onPrinting }: Props) {
  const anchor = useRef<HTMLSpanElement>(null);
  const onKeys = useEffectEvent(() => onPrinting(true));
  useEffect(() => {
    if (!anchor.current) return undefined;
    return listenToPrintKeys(anchor.current, () => onKeys());
  }, []);
  return (
    <>
      <span ref={anchor} hidden />
      <Suspense>
        {isPrinting && <PrintSheet task={task} onDone={() => onPrinting(false)} />}
      </Suspense>
    </>
  );
}
