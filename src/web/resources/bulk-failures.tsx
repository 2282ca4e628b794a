import { Button } from '@mantine/core';
import type { BulkError } from '#shared/api/bulk.ts';
import type { ErrorCode } from '#shared/catalogue/errors.ts';
import { ApiError } from '../lib/api.ts';
import { errorWords, fieldWords } from '../lib/error-words.ts';
import { t } from '../lib/i18n.ts';
import { CopyButton } from '../ui/buttons/copy.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import type { BulkFailure } from './bulk-action.ts';

interface Props {
  opened: boolean;
  failures: BulkFailure[];
  onClose: () => void;
}

/** The rows that an action failed for, by name with the reason. */
export function BulkFailures({ opened, failures, onClose }: Props) {
  const lines = failures.map(({ name, result }) => ({ name, reason: reasonOf(result.error) }));
  const text = lines.map(({ name, reason }) => `${name}: ${reason}`).join('\n');
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('bulk.failed', { count: failures.length })}
      size={560}
    >
      <p className="pb-12 soft">{t('bulk.failed_text')}</p>
      <ul
        className="overflow-auto border rounded-8 focus-inside"
        style={{ maxHeight: '50vh', padding: '4px 12px' }}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
        tabIndex={0}
        aria-label={t('bulk.failed', { count: failures.length })}
      >
        {lines.map(({ name, reason }, index) => (
          <li key={index} className="break py-8">
            <span className="weight-550">{name}</span>
            <br />
            <span className="soft">{reason}</span>
          </li>
        ))}
      </ul>
      <div className="flex justify-end gap-10 pt-20">
        <CopyButton text={text} copied={t('bulk.copied')} />
        <Button onClick={onClose} data-autofocus>
          {t('common.close')}
        </Button>
      </div>
    </Dialog>
  );
}

function reasonOf(error: BulkError | null): string {
  if (!error) return '';
  const { code, params, message, fields } = error;
  if (fields.length > 0) {
    const words = fields.map(
      (one) => `${one.path}: ${fieldWords(one.code, one.params, one.message)}`,
    );
    return words.join('; ');
  }
  return errorWords(new ApiError(0, message, { code: code as ErrorCode, params, error: message }));
}
