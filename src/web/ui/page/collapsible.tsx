import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

interface Props {
  title: ReactNode;
  hint?: ReactNode;
  /** The level of the heading, one below that of the page or dialog. */
  level?: 2 | 3;
  initiallyOpen?: boolean;
  /**
   * Whether an input inside has an error: the part then opens, and the first such input gets the
   * focus.
   */
  hasError?: boolean;
  children: ReactNode;
}

export function Collapsible({
  title,
  hint,
  level = 3,
  initiallyOpen = false,
  hasError = false,
  children,
}: Props) {
  const id = useId();
  const Heading = `h${level}` as const;
  const [opened, setOpened] = useState(initiallyOpen);
  const section = useRef<HTMLElement>(null);
  const wasOpen = useRef(opened);
  if (hasError && !opened) setOpened(true);
  useEffect(() => {
    if (hasError && !wasOpen.current) {
      const form = section.current?.closest('form');
      form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
    wasOpen.current = opened;
  }, [hasError, opened]);
  return (
    <section ref={section}>
      <Heading className="text-14">
        <button
          type="button"
          className={`row gap-6 w-full py-4 weight-620 color-text turn-open`}
          aria-expanded={opened}
          aria-controls={id}
          onClick={() => setOpened(!opened)}
        >
          <IconChevronRight size={16} aria-hidden="true" />
          {title}
          {hint && <span className="soft weight-400 cut">{hint}</span>}
        </button>
      </Heading>
      <div id={id} className="column gap-14 pt-10" hidden={!opened}>
        {opened && children}
      </div>
    </section>
  );
}
