// Examples for the rules about the classes of style sheets.

import type { Case } from './case.ts';
import * as styles from './style-rules.ts';

const component = (classes: string): string =>
  `import classes from './card.module.css';\n<div className={${classes}} />`;

export const styleCases: Case[] = [
  {
    title: 'the classes of a component are those of its style sheet',
    rule: styles.styleClassesAreUsed,
    bad: [
      { 'src/web/ui/card.module.css': '.card { margin: 0; }' },
      {
        'src/web/ui/card.module.css':
          '.card { margin: 0; }\n@media print { .card > .old { top: 0; } }',
        'src/web/ui/card.tsx': component('classes.card'),
      },
      {
        'src/web/ui/card.module.css': '.card { margin: 0; }',
        'src/web/ui/card.tsx': component("`${classes.card} ${classes['other']}`"),
      },
    ],
    good: {
      'src/web/ui/card.module.css':
        '.card { margin: 0.5em; }\n.not-shown :global(.library) { top: 0; }\n/* .old { } */',
      'src/web/ui/card.tsx': component("open ? classes.card : classes['not-shown']"),
      'src/web/ui/log.module.css': '.bold { font-weight: 700; }',
      'src/web/ui/log.tsx': "import classes from './log.module.css';\nclasses[name];",
    },
  },
  {
    title: 'the style sheets that components import exist',
    rule: styles.styleSheetsExist,
    bad: [{ 'src/web/ui/card.tsx': component('classes.card') }],
    good: {
      'src/web/ui/card.module.css': '.card { margin: 0; }',
      'src/web/ui/card.tsx': component('classes.card'),
    },
  },
  {
    title: 'the shared classes of the console are used, and exist',
    rule: styles.utilityClassesAreUsed,
    bad: [
      { 'src/web/styles/utilities.css': '.row { display: flex; }' },
      {
        'src/web/styles/utilities.css': '.row { display: flex; }',
        'src/web/ui/card.tsx': '<div className="column" />',
        'src/web/ui/card.module.css': '.card { composes: row gap-8 from global; }',
      },
    ],
    good: {
      'src/web/styles/utilities.css':
        '.row { display: flex; }\n.gap-8 { gap: 8px; }\n.tone-danger { color: red; }',
      'src/web/ui/card.tsx': '<div className={`row tone-${tone}`} />',
      'src/web/ui/card.module.css': '.card { composes: gap-8 from global; }',
    },
  },
];
