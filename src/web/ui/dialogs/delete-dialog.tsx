import { lazy } from 'react';
import type { DeleteProps } from './delete-question.tsx';
import { OnceOpened } from './once-opened.tsx';

const DeleteQuestion = lazy(async () => {
  const { DeleteQuestion: component } = await import('./delete-question.tsx');
  return { default: component };
});

/** A dialog that asks before a thing is deleted, or lists what still uses the thing. */
export function DeleteDialog(props: DeleteProps) {
  return (
    <OnceOpened opened={props.opened}>
      <DeleteQuestion {...props} />
    </OnceOpened>
  );
}
