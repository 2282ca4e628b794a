import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import { copy } from './copy.ts';

interface Props {
  text: string;
  /** What is said when it has been copied. */
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
