import { Button, Textarea, type TextareaProps } from '@mantine/core';
import { IconEye, IconEyeOff, IconFileUpload } from '@tabler/icons-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import classes from './secret-area.module.css';

interface Props extends Omit<TextareaProps, 'onChange' | 'value'> {
  value?: string;
  onChange?: (value: string) => void;
}

/** A hidden multi-line text that can be revealed; typed, pasted or read from a file. */
export function SecretArea({ value = '', onChange, disabled = false, ...props }: Props) {
  const [isShown, setShown] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.currentTarget.files ?? [];
    event.currentTarget.value = '';
    if (chosen) onChange?.(await chosen.text());
  };
  return (
    <div>
      <Textarea
        rows={6}
        resize="vertical"
        spellCheck={false}
        autoComplete="off"
        disabled={disabled}
        value={value}
        onChange={(event) => onChange?.(event.currentTarget.value)}
        {...props}
        classNames={{
          input: isShown ? 'smaller font-mono' : `smaller font-mono ${classes.hidden}`,
        }}
      />
      <div className="flex gap-4 pt-4">
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={disabled}
          aria-pressed={isShown}
          leftSection={isShown ? <IconEyeOff size={14} /> : <IconEye size={14} />}
          onClick={() => setShown(!isShown)}
        >
          {t('secret.reveal')}
        </Button>
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={disabled}
          leftSection={<IconFileUpload size={14} />}
          onClick={() => file.current?.click()}
        >
          {t('secret.from_file')}
        </Button>
        <input
          ref={file}
          type="file"
          hidden
          aria-label={t('secret.from_file')}
          onChange={(event) => void read(event)}
        />
      </div>
    </div>
  );
}
