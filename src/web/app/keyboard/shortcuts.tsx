import { useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { lazyExport } from '../../ui/lazy-export.ts';
import { listen } from '../../lib/shortcuts.ts';
import { toggleFocusedRow } from './toggle-focused-row.ts';
import { typeAhead } from './type-ahead.ts';
import { useSections } from '../navigation/project-sections.tsx';

const ShortcutHelp = lazyExport(() => import('./shortcut-help.tsx'), 'ShortcutHelp');
const Palette = lazyExport(() => import('./palette.tsx'), 'Palette');

const click = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.click();
const focus = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.focus();

interface Props {
  /** The number of button presses that opened the palette. */
  asked: number;
}

export function Shortcuts({ asked }: Props) {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const sections = useSections(projectId);
  const [byKey, setByKey] = useState(0);
  const [typed, setTyped] = useState({ ask: 0, text: '' });
  const asks = asked + byKey;
  const [help, setHelp] = useState<'never' | 'open' | 'closed'>('never');
  useEffect(() => {
    const goTo = sections.map(({ to, shortcut }) => [
      `g ${shortcut}`,
      () => {
        if (projectId !== undefined) void navigate({ to, params: { projectId } });
      },
    ]);
    const keys = {
      ...Object.fromEntries(goTo),
      '/': focus('main [data-search] input, main input[data-search]'),
      r: click('main [data-shortcut="r"]'),
      n: click('main [data-shortcut="n"]'),
      p: click('main [data-shortcut="p"]'),
      x: () => toggleFocusedRow(false),
      X: () => toggleFocusedRow(true),
      '?': () => setHelp('open'),
    };
    return listen(keys, () => setByKey((count) => count + 1));
  }, [navigate, projectId, sections]);
  useEffect(() => {
    if (asks === 0) return;
    return typeAhead((edit) =>
      setTyped(({ ask, text }) => ({ ask: asks, text: edit(ask === asks ? text : '') })),
    );
  }, [asks]);
  return (
    <Suspense>
      {asks > 0 && (
        <Palette
          asked={asks}
          typed={typed.ask === asks ? typed.text : ''}
          onHelp={() => setHelp('open')}
        />
      )}
      {help !== 'never' && (
        <ShortcutHelp opened={help === 'open'} onClose={() => setHelp('closed')} />
      )}
    </Suspense>
  );
}
