import { lazyExport } from '../lazy-export.ts';
import type { ConfirmProps } from './confirm-question.tsx';
import { OnceOpened } from './once-opened.tsx';

const ConfirmQuestion = lazyExport(() => import('./confirm-question.tsx'), 'ConfirmQuestion');

export function ConfirmDialog(props: ConfirmProps) {
  return (
    <OnceOpened opened={props.opened}>
      <ConfirmQuestion {...props} />
    </OnceOpened>
  );
}
