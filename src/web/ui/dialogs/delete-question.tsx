import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { ConfirmQuestion } from './confirm-question.tsx';
import { Dialog } from './dialog.tsx';
import { FormSkeleton } from '../feedback/skeleton.tsx';

/** Resources of one kind that refer to the one to delete. */
interface ReferenceSection {
  title: string;
  items: { id: number; name: string; address: string | null }[];
}

export interface DeleteProps {
  opened: boolean;
  /** The resources that use it; undefined while they are read, empty if there are none. */
  sections: ReferenceSection[] | undefined;
  title: string;
  text: ReactNode;
  /** The name, if it has to be typed. */
  typed?: string | null;
  /** "Cannot delete the …" */
  refusal: string;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** The dialog itself, which `delete-dialog.tsx` lazy-loads. */
export function DeleteQuestion(props: DeleteProps) {
  const { opened, sections, title, text, typed, refusal, busy, onConfirm, onClose } = props;
  if (sections?.length === 0) {
    return (
      <ConfirmQuestion
        opened={opened}
        onClose={onClose}
        title={title}
        text={text}
        typed={typed ?? null}
        action={t('common.delete')}
        busy={busy}
        onConfirm={onConfirm}
      />
    );
  }
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={440}>
      {sections ? (
        <>
          <p>{refusal}</p>
          <References sections={sections} onClose={onClose} />
          <div className="flex justify-end pt-20">
            <Button variant="default" onClick={onClose} data-autofocus>
              {t('common.close')}
            </Button>
          </div>
        </>
      ) : (
        <FormSkeleton fields={1} />
      )}
    </Dialog>
  );
}

function References({ sections, onClose }: { sections: ReferenceSection[]; onClose: () => void }) {
  return sections.map(({ title, items }) => (
    <section key={title} className="pt-14">
      <h3 className="pb-4 smaller weight-550 soft">{title}</h3>
      <ul>
        {items.map(({ id, name, address }) => (
          <li key={id} className="break" style={{ paddingBlock: 3 }}>
            {address === null ? (
              name
            ) : (
              <Link to={address} onClick={onClose}>
                {name}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  ));
}
