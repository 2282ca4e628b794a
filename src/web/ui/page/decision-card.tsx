import { IconCheck, IconX } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { ActionButton } from '../buttons/action-button.tsx';

interface DecisionButton {
  words: string;
  isSent: boolean;
  onClick: () => void;
}

interface Props {
  title: string;
  /** Why the user may not decide; null if they may. */
  refused: string | null;
  approve: DecisionButton;
  reject: DecisionButton;
  children: ReactNode;
}

/** A pending decision: its consequences, and the two buttons. */
export function DecisionCard({ title, refused, approve, reject, children }: Props) {
  const id = useId();
  return (
    <section
      className="column gap-14 bg-raised rounded-8"
      style={{ maxWidth: 720, padding: 16, border: '1px solid var(--warning)' }}
      aria-labelledby={id}
    >
      <h2 id={id} className="text-15 weight-620 break">
        {title}
      </h2>
      {children}
      {refused !== null && <p className="soft">{refused}</p>}
      <div className="flex wrap gap-8">
        <ActionButton
          leftSection={<IconCheck size={16} />}
          refused={refused}
          loading={approve.isSent}
          onClick={approve.onClick}
        >
          {approve.words}
        </ActionButton>
        <ActionButton
          color="danger"
          variant="light"
          leftSection={<IconX size={16} />}
          refused={refused}
          loading={reject.isSent}
          onClick={reject.onClick}
        >
          {reject.words}
        </ActionButton>
      </div>
    </section>
  );
}
