import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import classes from './stats.module.css';

const storedAs = 'figures';

/** Cards that are shown on demand, so that the list below them stays near; remembered here. */
export function MoreFigures({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  const [opened, setOpened] = useState(() => localStorage.getItem(storedAs) === 'open');
  const toggle = () => {
    localStorage.setItem(storedAs, opened ? '' : 'open');
    setOpened(!opened);
  };
  return (
    <div className={classes.more}>
      <button type="button" aria-expanded={opened} aria-controls={id} onClick={toggle}>
        <IconChevronRight size={14} aria-hidden="true" />
        {title}
      </button>
      <div id={id} hidden={!opened}>
        {opened && children}
      </div>
    </div>
  );
}
