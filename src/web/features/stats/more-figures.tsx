import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import classes from './stats.module.css';

const storedAs = 'figures';

/** Collapsed by default, so that the list below stays near; the browser stores the choice. */
export function MoreFigures({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  const [opened, setOpened] = useState(() => localStorage.getItem(storedAs) === 'open');
  const toggle = () => {
    localStorage.setItem(storedAs, opened ? '' : 'open');
    setOpened(!opened);
  };
  return (
    <div>
      <button
        type="button"
        className={`row gap-4 small rounded-4 turn-open ${classes.more}`}
        aria-expanded={opened}
        aria-controls={id}
        onClick={toggle}
      >
        <IconChevronRight size={14} aria-hidden="true" />
        {title}
      </button>
      <div
        id={id}
        className="grid gap-12"
        style={{
          gridTemplateColumns: 'repeat(auto-fit, minmax(min(320px, 100%), 1fr))',
          marginTop: 6,
        }}
        hidden={!opened}
      >
        {opened && children}
      </div>
    </div>
  );
}
