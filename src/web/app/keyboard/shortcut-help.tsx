import { Kbd, Switch } from '@mantine/core';
import '@mantine/core/styles/Kbd.layer.css';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { areShortcutsOn, paletteKeys, switchShortcuts } from '../../lib/shortcuts.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { useSections } from '../navigation/project-sections.tsx';

export function ShortcutHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { projectId } = useParams({ strict: false });
  const sections = useSections(projectId);
  const [isOn, setOn] = useState(areShortcutsOn);
  const change = (on: boolean) => {
    switchShortcuts(on);
    setOn(on);
  };
  const lines = [
    [paletteKeys, t('shortcut.palette')],
    ['/', t('shortcut.search')],
    ['r', t('shortcut.run')],
    ['n', t('shortcut.new')],
    ['n p', t('shortcut.failures')],
    ['x', t('shortcut.select')],
    ...sections.map(({ shortcut, words }) => [
      `g ${shortcut}`,
      t('shortcut.go', { place: t(words) }),
    ]),
    ['?', t('shortcut.help')],
    ['Esc', t('shortcut.close')],
  ] as const;
  return (
    <Dialog opened={opened} onClose={onClose} title={t('shortcut.title')} size={440}>
      <dl style={{ paddingBottom: 16 }}>
        {lines.map(([keys, words]) => (
          <div key={keys} className="row between gap-16 border-bottom" style={{ paddingBlock: 5 }}>
            <dt>{words}</dt>
            <dd className="flex gap-4">
              {keys.split(' ').map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Switch
        label={t('shortcut.on')}
        description={t('shortcut.on_hint')}
        checked={isOn}
        onChange={(event) => change(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
