import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { errorWords } from './error-words.ts';
import { useQuestion } from './use-question.ts';

interface Words {
  title: string;
  text: string;
  action: string;
  /** The message when it has been done. */
  done: string;
}

interface Confirmed<Thing, Args> {
  mutation: UseMutationOptions<unknown, Error, Args>;
  argsOf: (thing: Thing) => Args;
  /** Null until somebody has asked for the first time. */
  wordsOf: (thing: Thing | null) => Words;
  /** Shows that it has been done. */
  onDone: (words: string) => void;
  /** Shows why it could not be done. */
  onFailed: (words: string) => void;
}

/** Asks for confirmation before an action, does it, and shows the result. */
export function useConfirmed<Thing, Args>(given: Confirmed<Thing, Args>) {
  const { thing, opened, onClose, ask } = useQuestion<Thing>();
  const { done, ...words } = given.wordsOf(thing);
  const { mutate, isPending } = useMutation({
    ...given.mutation,
    onSuccess: () => given.onDone(done),
    onError: (error) => given.onFailed(errorWords(error)),
    onSettled: onClose,
  });
  const onConfirm = () => {
    if (thing !== null) mutate(given.argsOf(thing));
  };
  return { ask, dialog: { opened, onClose, ...words, busy: isPending, onConfirm } };
}
