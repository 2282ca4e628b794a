import { lazy } from 'react';
import type { DeleteProps } from './delete-question.tsx';
import { OnceOpened } from './once-opened.tsx';

const DeleteQuestion = lazy(async () => {
  const { DeleteQuestion: component } = await import('./delete-question.tsx');
  return { default: component };
});

/** Asks before a thing is deleted, or shows what keeps it from that. */
export function DeleteDialog(props: DeleteProps) {
  return (
    <OnceOpened opened={props.opened}>
      <DeleteQuestion {...props} />
    </OnceOpened>
  );
}
