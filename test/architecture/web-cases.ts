// Examples for the rules about the console's folders.

import type { Case, Files } from './case.ts';
import * as circles from './circle-rules.ts';
import * as web from './web-rules.ts';

const imports = (target: string): string => `import { x } from '${target}';\n`;

const manyFiles = (folder: string, count: number): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/${index}.tsx`, '']));

export const webCases: Case[] = [
  {
    title: 'no files of console and contract in a circle, not even of types',
    rule: circles.noCircles,
    bad: [
      {
        'src/web/features/keys/key-list.tsx': imports('./key-columns.tsx'),
        'src/web/features/keys/key-columns.tsx': "import type { Props } from './key-list.tsx';",
      },
    ],
    good: {
      'src/web/features/keys/key-list.tsx': imports('./key-columns.tsx'),
      'src/web/features/keys/key-columns.tsx': imports('../../ui/lists/list.tsx'),
      'src/web/ui/lists/list.tsx': '',
    },
  },
  {
    title: 'no folders of console and contract in a circle',
    rule: circles.noCirclesOfRooms,
    bad: [
      {
        'src/web/ui/forms/form.tsx': imports('../dialogs/dialog.tsx'),
        'src/web/ui/forms/field.tsx': '',
        'src/web/ui/dialogs/dialog.tsx': '',
        'src/web/ui/dialogs/question.tsx': imports('../forms/field.tsx'),
      },
      {
        'src/web/features/tasks/log/line.ts': "import type { Task } from '../task.ts';",
        'src/web/features/tasks/task.ts': '',
        'src/web/features/tasks/task-page.tsx': imports('./log/line.ts'),
      },
      {
        'src/shared/live.ts': imports('./api/tasks.ts'),
        'src/shared/api/tasks.ts': imports('../task-status.ts'),
        'src/shared/task-status.ts': '',
      },
    ],
    good: {
      'src/web/features/tasks/task.ts': '',
      'src/web/features/tasks/log/line.ts': imports('../task.ts'),
      'src/web/features/tasks/page/task-page.tsx':
        imports('../log/line.ts') + imports('../task.ts'),
    },
  },
  {
    title: 'no folder with more than 25 files',
    rule: circles.foldersAreSmall,
    bad: [manyFiles('src/web/ui', 26), manyFiles('src/server/automation/tasks', 26)],
    good: {
      ...manyFiles('src/web/ui', 25),
      'src/web/ui/list.css': '',
      ...manyFiles('src/shared/api', 99),
    },
  },
  {
    title: 'the console reads no schema of an endpoint',
    rule: web.webReadsNoReplySchema,
    bad: [{ 'src/web/app/session/user.ts': 'return users.current.reply.parse(answer);' }],
    good: {
      'src/web/app/session/user.ts': 'return request(users.current);',
      'src/server/http/send.ts': 'print(endpoint.reply, result);',
    },
  },
  {
    title: 'an element with a name for screen readers has a role',
    rule: web.namesNeedRoles,
    bad: [
      { 'src/web/ui/list.tsx': '<div onClick={() => go()} aria-label={name}>' },
      { 'src/web/ui/list.tsx': '<span\n  aria-labelledby={id}\n>' },
    ],
    good: {
      'src/web/ui/list.tsx':
        '<div className={frame} role="status" aria-label={name}><p>{text}</p><nav aria-label={name}>',
    },
  },
];
