import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { listen } from '../../lib/shortcuts.ts';
import { useSections } from '../navigation/project-sections.tsx';

const ShortcutHelp = lazy(async () => {
  const { ShortcutHelp: component } = await import('./shortcut-help.tsx');
  return { default: component };
});
const Palette = lazy(async () => {
  const { Palette: component } = await import('./palette.tsx');
  return { default: component };
});

const click = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.click();
const focus = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.focus();

interface Props {
  /** Counts how often the palette was asked for by a button. */
  asked: number;
}

/** The keys that work everywhere, the list of them, and the command palette. */
export function Shortcuts({ asked }: Props) {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const sections = useSections(projectId);
  const [byKey, setByKey] = useState(0);
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
      '?': () => setHelp('open'),
    };
    return listen(keys, () => setByKey((count) => count + 1));
  }, [navigate, projectId, sections]);
  return (
    <Suspense>
      {asked + byKey > 0 && <Palette asked={asked + byKey} onHelp={() => setHelp('open')} />}
      {help !== 'never' && (
        <ShortcutHelp opened={help === 'open'} onClose={() => setHelp('closed')} />
      )}
    </Suspense>
  );
}
