import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import type { ReactNode } from 'react';
import { TagsInput } from './select.ts';

export interface TagsProps {
  label: string;
  description: string;
  disabled?: boolean;
  /** The offered tags; others can be typed. */
  known: string[];
  /** The props that the form gives to the input. */
  input: { value?: string[]; onChange?: (value: string[]) => void; error?: ReactNode };
}

/** An input with one chip for each tag. */
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
