import { Button } from '@mantine/core';
import { useState } from 'react';
import { t } from '../lib/i18n.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import type { BulkAction, BulkValue } from './bulk-action.ts';

const MAX_NAMES = 10;

interface Props {
  opened: boolean;
  action: Pick<BulkAction, 'label' | 'text' | 'isDangerous' | 'needsValue' | 'renderField'>;
  names: string[];
  busy: boolean;
  onConfirm: (value: BulkValue) => void;
  onClose: () => void;
}

export function BulkQuestion({ opened, action, names, busy, onConfirm, onClose }: Props) {
  const { label, text, isDangerous = false, needsValue = false, renderField } = action;
  const [value, setValue] = useState<BulkValue>(null);
  const more = names.length - MAX_NAMES;
  const first = { 'data-autofocus': true };
  const title = label(names.length);
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={440}>
      {text && <p className="pb-12">{text}</p>}
      <ul className="pb-12">
        {names.slice(0, MAX_NAMES).map((name, index) => (
          <li key={index} className="break" style={{ paddingBlock: 2 }}>
            {name}
          </li>
        ))}
        {more > 0 && <li className="soft">{t('bulk.more', { count: more })}</li>}
      </ul>
      {renderField?.(value, setValue)}
      <div className="flex wrap justify-end gap-10 pt-20">
        <Button variant="default" onClick={onClose} {...(isDangerous && first)}>
          {t('common.cancel')}
        </Button>
        <Button
          {...(isDangerous && { color: 'danger' })}
          loading={busy}
          disabled={needsValue && value === null}
          onClick={() => onConfirm(value)}
          {...(!isDangerous && !renderField && first)}
        >
          {title}
        </Button>
      </div>
    </Dialog>
  );
}
