import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { t as translate, useTranslation } from '../../lib/i18n.ts';
import { toast, toastError } from '../feedback/toast.ts';
import classes from './copy.module.css';

/** Copies a text to the clipboard, and says whether that worked. */
export async function copy(text: string | Promise<string>, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(await text);
    toast(done);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    toastError(translate('common.cannot_copy', { reason }));
  }
}

interface Props {
  text: string;
  /** The message after the text has been copied. */
  copied: string;
}

export function CopyButton({ text, copied }: Props) {
  const { t } = useTranslation();
  return (
    <Button
      variant="default"
      leftSection={<IconCopy size={16} />}
      onClick={() => void copy(text, copied)}
    >
      {t('common.copy')}
    </Button>
  );
}

interface Props {
  text: string;
  /** The name of the text, if no label stands beside it. */
  label?: string;
  /** The message after the text has been copied. */
  copied: string;
}

/** A text that is shown only once, with a button that copies it. */
export function CopyBox({ text, label, copied }: Props) {
  return (
    <div className={classes.line}>
      <code className={classes.text} role={label && 'group'} aria-label={label}>
        {text}
      </code>
      <CopyButton text={text} copied={copied} />
    </div>
  );
}
