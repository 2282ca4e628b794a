import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

interface Props {
  title: string;
  /** What it is for. */
  text?: string;
  children: ReactNode;
}

/** A part of a page of settings. */
export function Section({ title, text, children }: Props) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {text && <p className={classes.text}>{text}</p>}
      {children}
    </section>
  );
}
