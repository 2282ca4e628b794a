// Describes the status of a task in the language of the user.

import { isTaskStatus } from '#shared/task-status.ts';
import { t } from '../../lib/i18n.ts';

/** A newer server may send a status that this page does not know. */
export const statusWords = (status: string): string =>
  isTaskStatus(status) ? t(`task.status.${status}`) : t('common.unknown_state', { state: status });
