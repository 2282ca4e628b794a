import { SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { type ReactNode, useState } from 'react';
import { TagsInput } from './select.ts';
import { t } from '../../lib/i18n.ts';
import { CodeEditor } from '../code/code-editor.tsx';

interface Props {
  label: string;
  description?: ReactNode;
  /** A JSON array of strings, or empty. */
  value?: string;
  onChange?: (value: string) => void;
  error?: ReactNode;
}

/** The arguments of a command, as chips or as JSON. */
export function ArgumentsField({ label, description, value = '', onChange, error }: Props) {
  const list = listOf(value);
  const [wantsJson, setWantsJson] = useState(list === null);
  const isJson = wantsJson || list === null;
  return (
    <div className="column gap-6 min-w-0" style={{ alignItems: 'stretch' }}>
      {isJson ? (
        <CodeEditor
          label={label}
          description={description}
          language="json"
          rows={3}
          value={value}
          onChange={(text) => onChange?.(text)}
          error={error}
        />
      ) : (
        <TagsInput
          label={label}
          description={description}
          classNames={{ pill: 'mono' }}
          placeholder={list.length === 0 ? '--forks=10' : ''}
          // Spaces and commas are part of an argument.
          splitChars={[]}
          allowDuplicates
          value={list}
          onChange={(next) => onChange?.(next.length === 0 ? '' : JSON.stringify(next))}
          error={error}
        />
      )}
      <SegmentedControl
        style={{ alignSelf: 'flex-start' }}
        size="xs"
        aria-label={t('arguments.mode', { label })}
        data={[
          { value: 'list', label: t('arguments.list'), disabled: list === null },
          { value: 'json', label: t('arguments.json') },
        ]}
        value={isJson ? 'json' : 'list'}
        onChange={(mode) => setWantsJson(mode === 'json')}
      />
    </div>
  );
}

/** Null if only the JSON editor can show the value. */
function listOf(text: string): string[] | null {
  if (text.trim() === '') return [];
  try {
    const list: unknown = JSON.parse(text);
    const isList = Array.isArray(list) && list.every((one) => typeof one === 'string');
    return isList ? list : null;
  } catch {
    return null;
  }
}
