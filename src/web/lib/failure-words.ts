// Describes why a task failed in the language of the user.

import { isFailureCode } from '#shared/words/task-failures.ts';
import type { TaskFailure } from '#shared/api/tasks.ts';
import { t } from './i18n.ts';

/** A server that was upgraded while the page was open may send a code that the page does not know. */
export const failureWords = ({ code, params, text }: TaskFailure): string =>
  isFailureCode(code) ? t(`failures.${code}`, { ...params }) : text;
