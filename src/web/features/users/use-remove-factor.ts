import type { User } from '#shared/api/users.ts';
import { t } from '../../lib/i18n.ts';
import { useConfirmed } from '../../lib/use-confirmed.ts';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { removeFactor } from './users.queries.ts';

/** Removes the second factor of a user who has lost it, after a confirmation. */
export function useRemoveFactor() {
  return useConfirmed({
    mutation: removeFactor(),
    argsOf: ({ id }: User) => ({ params: { user_id: id } }),
    wordsOf: (user) => ({
      title: t('user.remove_factor'),
      text: t('user.remove_factor_text', { name: user?.name ?? '' }),
      action: t('second_factor.remove'),
      done: t('user.factor_removed', { name: user?.name ?? '' }),
    }),
    onDone: toast,
    onFailed: toastError,
  });
}
