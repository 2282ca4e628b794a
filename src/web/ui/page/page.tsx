import type { ReactNode } from 'react';
import classes from './page.module.css';

interface Props {
  title: string;
  /** Links to the pages above. */
  above?: ReactNode;
  actions?: ReactNode;
  tabs?: ReactNode;
  children: ReactNode;
}

export function Page({ title, above, actions, tabs, children }: Props) {
  return (
    <div className={classes.page}>
      <title>{`${title} · Signalbox`}</title>
      <header className={classes.header} data-tabs={tabs ? true : undefined}>
        <div className={classes.heading}>
          {above && <div className={classes.above}>{above}</div>}
          <h1 className={classes.title} title={title}>
            {title}
          </h1>
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {tabs && <div className={classes.tabs}>{tabs}</div>}
      <div className={classes.content}>{children}</div>
    </div>
  );
}
