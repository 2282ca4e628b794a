import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

interface Props {
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
  /** Whether the section is one of several groups of inputs below each other. */
  narrow?: boolean;
  children: ReactNode;
}

export function Section({ title, text, actions, narrow, children }: Props) {
  const id = useId();
  return (
    <section className={classes.section} data-narrow={narrow} aria-labelledby={id}>
      <div className="row wrap between gap-8-16" style={{ minHeight: 44 }}>
        <h2 id={id} className="text-15 weight-620">
          {title}
        </h2>
        {actions}
      </div>
      {text && (
        <p className="soft pt-4 pb-8" style={{ maxWidth: 720 }}>
          {text}
        </p>
      )}
      {children}
    </section>
  );
}
