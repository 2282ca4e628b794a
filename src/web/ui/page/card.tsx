import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface Props {
  title: string;
  /** A short text beside the title. */
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A framed part of a page with a title. */
export function Card({ title, note, action, children }: Props) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.header}>
        <div className={classes.words}>
          <h2 className={classes.title} id={id}>
            {title}
          </h2>
          {note && <span className={classes.note}>{note}</span>}
        </div>
        {action && <span className={classes.action}>{action}</span>}
      </header>
      {children}
    </section>
  );
}
