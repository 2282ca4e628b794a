import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { t, t as translate } from '../../lib/i18n.ts';
import { toast, toastError } from '../feedback/toast.ts';

/**
 * Writes to the clipboard within the click: Safari refuses it later, so a text that is still being
 * loaded is passed as a promise.
 */
async function write(text: string | Promise<string>): Promise<void> {
  if (typeof text === 'string') return navigator.clipboard.writeText(text);
  const type = 'text/plain';
  const blob = text.then((words) => new Blob([words], { type }));
  const written = navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
  // The error of loading the text is more helpful than that of the clipboard.
  await Promise.all([text, written]);
}

/** Copies a text to the clipboard, and shows a toast with the result. */
export async function copy(text: string | Promise<string>, done: string): Promise<void> {
  try {
    await write(text);
    toast(done);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    toastError(translate('common.cannot_copy', { reason }));
  }
}

interface Props {
  text: string;
  copied: string;
}

export function CopyButton({ text, copied }: Props) {
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
  /** The accessible name, if no label is beside it. */
  label?: string;
  copied: string;
}

export function CopyBox({ text, label, copied }: Props) {
  return (
    <div className="row wrap gap-10">
      <code
        className="break pre-wrap bg-sunken border rounded-6"
        style={{ flex: '1 1 240px', padding: '8px 10px', userSelect: 'all' }}
        role={label && 'group'}
        aria-label={label}
      >
        {text}
      </code>
      <CopyButton text={text} copied={copied} />
    </div>
  );
}
