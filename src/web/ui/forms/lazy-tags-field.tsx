import { TextInput } from '@mantine/core';
import { Suspense } from 'react';
import { lazyExport } from '../lazy-export.ts';
import type { TagsProps } from './tags-field.tsx';

const TagsField = lazyExport(() => import('./tags-field.tsx'), 'TagsField');

export function LazyTagsField(props: TagsProps) {
  const { label, description } = props;
  return (
    <Suspense fallback={<TextInput label={label} description={description} disabled />}>
      <TagsField {...props} />
    </Suspense>
  );
}
