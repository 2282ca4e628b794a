import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from '../lib/i18n.ts';
import { toast, toastError } from './toast.ts';

interface Props {
  text: string;
  /** What is said when it has been copied. */
  copied: string;
}

export function CopyButton({ text, copied }: Props) {
  const { t } = useTranslation();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast(copied);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      toastError(t('common.cannot_copy', { reason }));
    }
  };
  return (
    <Button variant="default" leftSection={<IconCopy size={16} />} onClick={() => void copy()}>
      {t('common.copy')}
    </Button>
  );
}
