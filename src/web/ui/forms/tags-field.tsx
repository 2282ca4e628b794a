import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import type { ReactNode } from 'react';
import { TagsInput } from './select.ts';

export interface TagsProps {
  label: string;
  description: string;
  disabled?: boolean;
  /** Suggested tags. */
  known: string[];
  input: { value?: string[]; onChange?: (value: string[]) => void; error?: ReactNode };
}

export function TagsField({ label, description, disabled = false, known, input }: TagsProps) {
  return (
    <TagsInput
      label={label}
      description={description}
      disabled={disabled}
      classNames={{ pill: 'mono' }}
      splitChars={[',', ' ']}
      data={known}
      {...input}
    />
  );
}
