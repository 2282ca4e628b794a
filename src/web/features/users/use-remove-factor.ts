import { useMutation } from '@tanstack/react-query';
import type { User } from '#shared/api/users.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useQuestion } from '../../lib/use-question.ts';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { removeFactor } from './users.queries.ts';

/** Removes the second factor of somebody who has lost it, after a question. */
export function useRemoveFactor() {
  const { t } = useTranslation();
  const { thing: user, opened, onClose, ask } = useQuestion<User>();
  const name = user?.name ?? '';
  const removal = useMutation({
    ...removeFactor(),
    onSuccess: () => toast(t('user.factor_removed', { name })),
    onError: (error) => toastError(errorWords(error)),
    onSettled: onClose,
  });
  return {
    ask,
    dialog: {
      opened,
      onClose,
      title: t('user.remove_factor'),
      text: t('user.remove_factor_text', { name }),
      action: t('second_factor.remove'),
      busy: removal.isPending,
      onConfirm: () => user && removal.mutate({ params: { user_id: user.id } }),
    },
  };
}
