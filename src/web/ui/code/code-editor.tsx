import { Input } from '@mantine/core';
import { IconArrowsMaximize, IconArrowsMinimize, IconIndentIncrease } from '@tabler/icons-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useId,
  useRef,
  useState,
} from 'react';
import { lazyExport } from '../lazy-export.ts';
import { t } from '../../lib/i18n.ts';
import classes from './code-editor.module.css';
import type { CodeApi, CodeLanguage } from './code-mirror.tsx';
import { IconButton } from '../buttons/icon-button.tsx';

const CodeMirror = lazyExport(() => import('./code-mirror.tsx'), 'CodeMirror');

interface Props {
  label: string;
  description?: ReactNode;
  required?: boolean;
  error?: ReactNode;
  language: CodeLanguage;
  /** The path of the field in its form, which focuses the editor on an error. */
  path?: string;
  value: string;
  onChange: (value: string) => void;
  /** The minimum height in rows; the editor grows with its text up to a limit. */
  rows?: number;
  readOnly?: boolean;
  /** The placeholder. */
  example?: string;
}

const canFormat = (language: CodeLanguage): boolean => language === 'json' || language === 'yaml';

/** An input for code, with highlighting, a linter, a formatter and a full screen. */
export function CodeEditor(props: Props) {
  const { label, description, required = false, error, language, value, onChange } = props;
  const { rows = 6, readOnly = false, path, example = '' } = props;
  const id = useId();
  const api = useRef<CodeApi>(null);
  const [isLarge, setLarge] = useState(false);
  const shrink = (event: KeyboardEvent) => {
    if (!isLarge || event.key !== 'Escape') return;
    event.stopPropagation();
    setLarge(false);
  };
  return (
    <div
      className={`min-w-0 ${classes.field}`}
      data-large={isLarge || undefined}
      data-mantine-stop-propagation={isLarge || undefined}
      onKeyDownCapture={shrink}
    >
      <div className="flex items-end between gap-8">
        <Input.Label id={`${id}-label`} required={required} labelElement="div">
          {label}
        </Input.Label>
        <div className="flex">
          {canFormat(language) && !readOnly && (
            <IconButton
              label={t('code.format')}
              icon={<IconIndentIncrease size={16} />}
              onClick={() => api.current?.format()}
            />
          )}
          <IconButton
            label={isLarge ? t('code.smaller') : t('code.full_screen')}
            icon={isLarge ? <IconArrowsMinimize size={16} /> : <IconArrowsMaximize size={16} />}
            onClick={() => setLarge(!isLarge)}
          />
        </div>
      </div>
      {description && <Input.Description id={`${id}-text`}>{description}</Input.Description>}
      <div
        className={`smaller bg-surface border-strong rounded-6 overflow-hidden ${classes.box}`}
        data-error={error ? true : undefined}
        style={{ '--rows': rows } as CSSProperties}
      >
        <Suspense
          fallback={
            <pre
              className="overflow-hidden"
              style={{
                minHeight: 'calc(var(--rows) * 1.5em + 10px)',
                maxHeight: 420,
                padding: '5px 8px',
                whiteSpace: 'pre',
              }}
            >
              {value}
            </pre>
          }
        >
          <CodeMirror
            api={api}
            labelledBy={`${id}-label`}
            describedBy={`${id}-text ${id}-error`}
            invalid={Boolean(error)}
            path={path}
            language={language}
            value={value}
            onChange={onChange}
            readOnly={readOnly}
            example={example}
          />
        </Suspense>
      </div>
      {error && <Input.Error id={`${id}-error`}>{error}</Input.Error>}
    </div>
  );
}
