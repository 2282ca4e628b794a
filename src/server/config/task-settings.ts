// The settings for what the programs of tasks may use of their machine and its environment.

import { isVariableList } from './task-environment.ts';
import { wholeNumber, type Setting } from './setting-values.ts';

const limitRules = ['try', 'require'];

export const taskSettings = [
  {
    name: 'SIGNALBOX_TASK_MEMORY_MIB',
    initial: '0',
    holds: 'a number of MiB, where 0 means no limit',
    about:
      'How much memory the programs of one task may use together at most; the limit of a template can be lower',
    accepts: wholeNumber(0, 16_777_216),
  },
  {
    name: 'SIGNALBOX_TASK_CPU_PERCENT',
    initial: '0',
    holds: 'a number, where 100 means one processor and 0 no limit',
    about:
      'How much of the processors the programs of one task may use together at most; the limit of a template can be lower',
    accepts: wholeNumber(0, 100_000),
  },
  {
    name: 'SIGNALBOX_TASK_PROCESSES',
    initial: '0',
    holds: 'a number, where 0 means no limit',
    about:
      'How many processes and threads one task may have at once at most; the limit of a template can be lower',
    accepts: wholeNumber(0, 4_000_000),
  },
  {
    name: 'SIGNALBOX_TASK_LIMITS',
    initial: 'try',
    holds: `one of ${limitRules.join(', ')}`,
    about:
      'What happens to a task whose limits cannot be held on this machine: it runs and its log says so (try), or it fails before its first program (require)',
    accepts: (value: string) => limitRules.includes(value),
  },
  {
    name: 'SIGNALBOX_TASK_ENVIRONMENT',
    initial: 'TZ,HTTP_PROXY,HTTPS_PROXY,NO_PROXY',
    holds:
      'names of environment variables that do not begin with SIGNALBOX_, separated by commas, or none',
    about:
      "Variables of the service's own environment that all tasks on this server get; the environment of a template wins over them. The name of a proxy stands for both spellings",
    accepts: isVariableList,
  },
] as const satisfies Setting[];
