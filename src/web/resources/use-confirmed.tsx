import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { errorWords } from '../lib/error-words.ts';
import { useDialogState } from '../lib/use-dialog-state.ts';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { toast, toastError } from '../ui/feedback/toast.ts';

export const toastFailure = (error: unknown): void => toastError(errorWords(error));

interface Words {
  title: string;
  text: string;
  action: string;
  /** Whether nothing is lost: the button is then not red. */
  isHarmless?: boolean;
}

interface Confirmed<Row, Args, Reply> {
  mutation: UseMutationOptions<Reply, Error, Args>;
  argsOf: (row: Row) => Args;
  /** `row` is null before the first opening. */
  wordsOf: (row: Row | null) => Words;
  /** The toast after the action. */
  done?: (row: Row) => string;
  onDone?: (reply: Reply) => void;
}

/**
 * Asks for confirmation before an action, and shows the result. Returns a function that opens the
 * dialog, and the dialog.
 */
export function useConfirmed<Row, Args, Reply>(options: Confirmed<Row, Args, Reply>) {
  const { resource: row, opened, onClose, ask } = useDialogState<Row>();
  const { mutate, isPending } = useMutation({
    ...options.mutation,
    onSuccess: (reply) => {
      if (options.done && row !== null) toast(options.done(row));
      options.onDone?.(reply);
    },
    onError: toastFailure,
    onSettled: onClose,
  });
  const onConfirm = () => {
    if (row !== null) mutate(options.argsOf(row));
  };
  const dialog = (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      {...options.wordsOf(row)}
      busy={isPending}
      onConfirm={onConfirm}
    />
  );
  return { ask, dialog };
}
