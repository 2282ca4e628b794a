import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { TagsProps } from './tags-field.tsx';

const TagsField = lazy(async () => {
  const { TagsField: component } = await import('./tags-field.tsx');
  return { default: component };
});

export function LazyTagsField(props: TagsProps) {
  const { label, description } = props;
  return (
    <Suspense fallback={<TextInput label={label} description={description} disabled />}>
      <TagsField {...props} />
    </Suspense>
  );
}
