import { lazy } from 'react';
import type { ConfirmProps } from './confirm-question.tsx';
import { OnceOpened } from './once-opened.tsx';

const ConfirmQuestion = lazy(async () => {
  const { ConfirmQuestion: component } = await import('./confirm-question.tsx');
  return { default: component };
});

export function ConfirmDialog(props: ConfirmProps) {
  return (
    <OnceOpened opened={props.opened}>
      <ConfirmQuestion {...props} />
    </OnceOpened>
  );
}
