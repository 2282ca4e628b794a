import type { Runner } from '#shared/api/runners.ts';
import { t } from '../../lib/i18n.ts';
import { useConfirmed } from '../../lib/use-confirmed.ts';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { removeRunner } from './runners.queries.ts';

/** Asks before a server is forgotten, or a remote runner loses its access. */
export function useRemoval() {
  return useConfirmed({
    mutation: removeRunner(),
    argsOf: (runner: Runner) => runner,
    wordsOf: (runner) => wordsOf(runner),
    onDone: toast,
    onFailed: toastError,
  });
}

function wordsOf(runner: Runner | null) {
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
