import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { errorWords } from './error-words.ts';
import { useDialogState } from './use-dialog-state.ts';

interface Words {
  title: string;
  text: string;
  action: string;
  /** The message when it has been done. */
  done: string;
}

interface Confirmed<Resource, Args> {
  mutation: UseMutationOptions<unknown, Error, Args>;
  argsOf: (resource: Resource) => Args;
  /** Null until somebody has asked for the first time. */
  wordsOf: (resource: Resource | null) => Words;
  /** Shows that it has been done. */
  onDone: (words: string) => void;
  /** Shows why it could not be done. */
  onFailed: (words: string) => void;
}

/** Asks for confirmation before an action, does it, and shows the result. */
export function useConfirmed<Resource, Args>(given: Confirmed<Resource, Args>) {
  const { thing: resource, opened, onClose, ask } = useDialogState<Resource>();
  const { done, ...words } = given.wordsOf(resource);
  const { mutate, isPending } = useMutation({
    ...given.mutation,
    onSuccess: () => given.onDone(done),
    onError: (error) => given.onFailed(errorWords(error)),
    onSettled: onClose,
  });
  const onConfirm = () => {
    if (resource !== null) mutate(given.argsOf(resource));
  };
  return { ask, dialog: { opened, onClose, ...words, busy: isPending, onConfirm } };
}
