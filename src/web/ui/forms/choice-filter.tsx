import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ChoiceProps } from './choice-select.tsx';

const ChoiceSelect = lazy(async () => {
  const { ChoiceSelect: component } = await import('./choice-select.tsx');
  return { default: component };
});

/** A filter with one choice, which shows its label while it is empty. */
export function ChoiceFilter(props: ChoiceProps) {
  const { label } = props;
  return (
    <Suspense fallback={<TextInput aria-label={label} placeholder={label} readOnly />}>
      <ChoiceSelect {...props} />
    </Suspense>
  );
}
