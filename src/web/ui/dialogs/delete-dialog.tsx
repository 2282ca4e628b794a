import { lazy } from 'react';
import type { DeleteProps } from './delete-question.tsx';
import { OnceOpened } from './once-opened.tsx';

const DeleteQuestion = lazy(async () => {
  const { DeleteQuestion: component } = await import('./delete-question.tsx');
  return { default: component };
});

/** Asks before a resource is deleted, or lists what still uses it. */
export function DeleteDialog(props: DeleteProps) {
  return (
    <OnceOpened opened={props.opened}>
      <DeleteQuestion {...props} />
    </OnceOpened>
  );
}
