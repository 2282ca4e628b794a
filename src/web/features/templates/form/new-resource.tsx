import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import type { FieldsProps, NewResource, OnNew, TemplateParts } from './template-fields-props.ts';

/** A select with a button that makes another resource of its kind. */
export function WithNew({ kind, onNew, children }: NewProps) {
  return (
    <div className="row gap-4">
      <div className="grow">{children}</div>
      <IconButton label={t(`${kind}.new`)} icon={<IconPlus size={16} />} onClick={onNew} />
    </div>
  );
}

/** What the button beside a select makes, for users who may make it. */
export const newChoice = ({ may, onNew }: Pick<FieldsProps, 'may' | 'onNew'>, kind: NewResource) =>
  may(`${kind}.edit`) ? { kind, onNew } : undefined;

interface NewProps {
  kind: NewResource;
  onNew: () => void;
  children: ReactNode;
}

interface Making {
  kind: NewResource;
  onMade: (id: number) => void;
  isOpened: boolean;
  /** A new key for each opening, which resets the form. */
  number: number;
}

/** The dialog for a new resource, outside the `<form>` of the template. */
export function useNewResource(renderNew: TemplateParts['renderNew']) {
  const [making, setMaking] = useState<Making | null>(null);
  const onNew: OnNew = (kind, onMade) =>
    setMaking((before) => ({ kind, onMade, isOpened: true, number: (before?.number ?? 0) + 1 }));
  const close = () => setMaking((before) => before && { ...before, isOpened: false });
  const dialog = making && (
    <div key={making.number}>
      {renderNew(making.kind, {
        isOpened: making.isOpened,
        onClose: close,
        onMade: making.onMade,
      })}
    </div>
  );
  return { onNew, dialog };
}
