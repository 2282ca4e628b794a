import { lazyExport } from '../lazy-export.ts';
import type { DeleteProps } from './delete-question.tsx';
import { OnceOpened } from './once-opened.tsx';

const DeleteQuestion = lazyExport(() => import('./delete-question.tsx'), 'DeleteQuestion');

/** Asks before a resource is deleted, or lists what still uses it. */
export function DeleteDialog(props: DeleteProps) {
  return (
    <OnceOpened opened={props.opened}>
      <DeleteQuestion {...props} />
    </OnceOpened>
  );
}
