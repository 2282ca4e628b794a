// Settings of resource limits and the environment of tasks.

import { isVariableList } from './task-environment.ts';
import { oneOf, wholeNumber, type Settings } from './setting-values.ts';

const limitRules = ['try', 'require'];

export const taskSettings = {
  SIGNALBOX_TASK_MEMORY_MIB: {
    initial: '0',
    ...wholeNumber(0, 16_777_216),
    holds: 'a number of MiB, where 0 means no limit',
    about:
      'How much memory the programs of one task may use together at most; the limit of a template can be lower',
  },
  SIGNALBOX_TASK_CPU_PERCENT: {
    initial: '0',
    ...wholeNumber(0, 100_000),
    holds: 'a number, where 100 means one processor and 0 no limit',
    about:
      'How much of the processors the programs of one task may use together at most; the limit of a template can be lower',
  },
  SIGNALBOX_TASK_PROCESSES: {
    initial: '0',
    ...wholeNumber(0, 4_000_000),
    holds: 'a number, where 0 means no limit',
    about:
      'How many processes and threads one task may have at once at most; the limit of a template can be lower',
  },
  SIGNALBOX_TASK_LIMITS: {
    initial: 'try',
    ...oneOf(limitRules),
    about:
      'What happens to a task whose limits cannot be held on this machine: it runs and its log says so (try), or it fails before its first program (require)',
  },
  SIGNALBOX_TASK_ENVIRONMENT: {
    initial: 'TZ,HTTP_PROXY,HTTPS_PROXY,NO_PROXY',
    holds:
      'names of environment variables that do not begin with SIGNALBOX_, separated by commas, or none',
    about:
      "Variables of the service's own environment that all tasks on this server get; the environment of a template wins over them. The name of a proxy stands for both spellings",
    accepts: isVariableList,
  },
} satisfies Settings;
