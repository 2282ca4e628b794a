import { TextInput } from '@mantine/core';
import { Suspense } from 'react';
import { lazyExport } from '../lazy-export.ts';
import type { ChoiceProps } from './choice-select.tsx';

const ChoiceSelect = lazyExport(() => import('./choice-select.tsx'), 'ChoiceSelect');

/** A filter with one choice, which shows its label while it is empty. */
export function ChoiceFilter(props: ChoiceProps) {
  const { label } = props;
  return (
    <Suspense fallback={<TextInput aria-label={label} placeholder={label} readOnly />}>
      <ChoiceSelect {...props} />
    </Suspense>
  );
}
