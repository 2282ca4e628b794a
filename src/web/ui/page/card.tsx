import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface Props {
  title: string;
  /** Said softly beside the title. */
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A part of a page that is looked at by itself. */
export function Card({ title, note, action, children }: Props) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.header}>
        <h2 className={classes.title} id={id}>
          {title}
        </h2>
        {note && <span className={classes.note}>{note}</span>}
        {action && <span className={classes.action}>{action}</span>}
      </header>
      {children}
    </section>
  );
}
