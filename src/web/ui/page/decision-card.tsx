import { IconCheck, IconHandStop, IconX } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { ActionButton } from '../buttons/action-button.tsx';
import classes from './decision-card.module.css';

interface DecisionButton {
  words: string;
  isSent: boolean;
  /** Why the user may not use this button although they may decide. */
  refused?: string | null;
  onClick: () => void;
}

interface Props {
  title: ReactNode;
  /** Below the title, such as the project. */
  subtitle?: ReactNode;
  /** The consequences in a sentence. */
  summary?: ReactNode;
  /** Names the buttons in a list of cards; without it, their words do. */
  subject?: string;
  /** By default, cards with a subject are in a section of their own. */
  heading?: 'h2' | 'h3';
  /** Why the user may not decide; null if they may. */
  refused: string | null;
  /** An element is a link to where the decision is made. */
  approve: DecisionButton | { link: ReactNode };
  reject: DecisionButton;
  /** `DecisionFact` elements: the consequences. */
  facts: ReactNode;
  /** The content below the facts, such as a comment. */
  children?: ReactNode;
}

/** A pending decision: its consequences, and the two buttons. */
export function DecisionCard(props: Props) {
  const { title, subtitle, summary, subject, refused, approve, reject, facts, children } = props;
  const id = useId();
  const { heading: Heading = subject === undefined ? 'h2' : 'h3' } = props;
  const labelOf = (words: string) =>
    subject !== undefined && { 'aria-label': `${words} ${subject}` };
  return (
    <section className={`column gap-12 bg-raised rounded-8 ${classes.card}`} aria-labelledby={id}>
      <div className="flex gap-10 min-w-0">
        <IconHandStop className={`flex-none ${classes.hand}`} size={20} aria-hidden="true" />
        <div className="column gap-2 min-w-0">
          <Heading id={id} className="text-15 weight-620 break">
            {title}
          </Heading>
          {subtitle && <span className="small soft">{subtitle}</span>}
        </div>
      </div>
      {summary && <p className="break weight-550">{summary}</p>}
      <dl className={`grid min-w-0 ${classes.facts}`}>{facts}</dl>
      {children}
      {refused !== null && <p className="soft">{refused}</p>}
      <div className={`flex wrap gap-8 ${classes.buttons}`}>
        {'link' in approve ? (
          approve.link
        ) : (
          <ActionButton
            {...labelOf(approve.words)}
            leftSection={<IconCheck size={16} />}
            refused={refused ?? approve.refused ?? null}
            loading={approve.isSent}
            onClick={approve.onClick}
          >
            {approve.words}
          </ActionButton>
        )}
        <ActionButton
          {...labelOf(reject.words)}
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

interface FactProps {
  name: string;
  /** Whether the fact has a row of its own. */
  isLong?: boolean;
  children: ReactNode;
}

export function DecisionFact({ name, isLong = false, children }: FactProps) {
  return (
    <div className={`min-w-0 ${isLong ? 'full-row' : ''}`}>
      <dt className="smaller soft">{name}</dt>
      <dd className="break">{children}</dd>
    </div>
  );
}
