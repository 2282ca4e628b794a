// Describes the status of a task in the language of the user.

import { isTaskStatus } from '#shared/task-status.ts';
import { t } from '../../lib/i18n.ts';

/** A server that was upgraded while the page was open may send a status that the page does not know. */
export const statusWords = (status: string): string =>
  isTaskStatus(status) ? t(`task.status.${status}`) : t('common.unknown_state', { state: status });
