import { t } from '../../lib/i18n.ts';
import { toast, toastError } from '../feedback/toast.ts';

/** Copies a text to the clipboard, and says whether that worked. */
export async function copy(text: string | Promise<string>, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(await text);
    toast(done);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    toastError(t('common.cannot_copy', { reason }));
  }
}
