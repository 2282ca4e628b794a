import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { Runner } from '#shared/api/runners.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useQuestion } from '../../lib/use-question.ts';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { removeRunner } from './runners.queries.ts';

/** Asks before a server is forgotten, or a remote runner loses its access. */
export function useRemoval() {
  const { t } = useTranslation();
  const { thing: runner, opened, onClose, ask } = useQuestion<Runner>();
  const remove = useMutation(removeRunner());
  const { done, ...words } = wordsOf(t, runner);
  const onConfirm = () =>
    remove.mutate(
      { params: { runner_id: runner?.id ?? 0 } },
      {
        onSuccess: () => toast(done),
        onError: (failure) => toastError(errorWords(failure)),
        onSettled: onClose,
      },
    );
  return { ask, dialog: { opened, onClose, ...words, busy: remove.isPending, onConfirm } };
}

function wordsOf(t: TFunction, runner: Runner | null) {
  const name = runner?.name ?? '';
  if (runner?.remote) {
    return {
      title: t('runner.remove_question'),
      text: t(runner.state === 'new' ? 'runner.remove_new_text' : 'runner.remove_text', { name }),
      action: t('runner.remove'),
      done: t('runner.removed', { name }),
    };
  }
  return {
    title: t('runner.forget_question'),
    text: t('runner.forget_text', { name }),
    action: t('runner.forget'),
    done: t('runner.forgotten', { name }),
  };
}
