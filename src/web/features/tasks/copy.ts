import { toast, toastError } from '../../ui/toast.ts';

interface Words {
  done: string;
  failed: (reason: string) => string;
}

/** Puts a text into the clipboard, and says whether that worked. */
export async function copyText(text: string | Promise<string>, words: Words): Promise<void> {
  try {
    await navigator.clipboard.writeText(await text);
    toast(words.done);
  } catch (error) {
    toastError(words.failed(error instanceof Error ? error.message : String(error)));
  }
}
