import { IconAlertTriangle } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import classes from './indexed-sections.module.css';

interface IndexedSection {
  /** The hash of its address. */
  id: string;
  title: string;
  /** Whether an input of the section has an error. */
  isWrong: boolean;
  content: ReactNode;
}

interface Props {
  /** The name of the index. */
  label: string;
  sections: IndexedSection[];
}

/** Sections below each other, with an index beside or, on a small screen, above them. */
export function IndexedSections({ label, sections }: Props) {
  const current = useCurrentSection(sections.map(({ id }) => id));
  return (
    <div className={classes.layout}>
      <nav className={classes.index} aria-label={label}>
        <ol className={classes.links}>
          {sections.map(({ id, title, isWrong }) => (
            <li key={id}>
              <SectionLink id={id} isCurrent={id === current}>
                {title}
                {isWrong && <WrongMark />}
              </SectionLink>
            </li>
          ))}
        </ol>
      </nav>
      <div className="min-w-0">
        {sections.map(({ id, title, content }) => (
          <section
            key={id}
            id={id}
            tabIndex={-1}
            className={`column gap-14 ${classes.section}`}
            aria-labelledby={`${id}-title`}
          >
            <h2 id={`${id}-title`} className="text-15 weight-620">
              {title}
            </h2>
            {content}
          </section>
        ))}
      </div>
    </div>
  );
}

const WrongMark = () => (
  <>
    <IconAlertTriangle size={14} className="color-danger flex-none" aria-hidden="true" />
    <span className="visually-hidden">{t('form.has_errors')}</span>
  </>
);

interface LinkProps {
  id: string;
  isCurrent: boolean;
  children: ReactNode;
}

function SectionLink({ id, isCurrent, children }: LinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // The row of links on a small screen scrolls sideways, and the page does not scroll.
    const row = link.current?.closest('nav');
    if (isCurrent && link.current) row?.scrollTo({ left: link.current.offsetLeft - 16 });
  }, [isCurrent]);
  return (
    <a
      ref={link}
      href={`#${id}`}
      className={`row gap-6 rounded-6 ${classes.link}`}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={(event) => goTo(event, id)}
    >
      {children}
    </a>
  );
}

/** Without an entry in the history, so that "back" leaves the page. */
function goTo(event: MouseEvent, id: string): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const section = document.getElementById(id);
  section?.scrollIntoView();
  // The Tab key goes on from the section.
  section?.focus({ preventScroll: true });
}

/**
 * The section with the focus, if it is in view. Otherwise the one at a line that moves down the
 * window as the page scrolls, so that each section, also a short one at the end, is the current one
 * at some position.
 */
function useCurrentSection(ids: string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0]);
  const all = ids.join(' ');
  useEffect(() => {
    const update = () => setCurrent(sectionInView(all.split(' ')));
    addEventListener('scroll', update, { passive: true });
    addEventListener('focusin', update);
    return () => {
      removeEventListener('scroll', update);
      removeEventListener('focusin', update);
    };
  }, [all]);
  return current;
}

function sectionInView(ids: string[]): string | undefined {
  const sections = ids.flatMap((id) => document.getElementById(id) ?? []);
  const focused = sections.find((section) => section.contains(document.activeElement));
  if (focused && isInView(focused)) return focused.id;
  const height = document.documentElement.scrollHeight - innerHeight;
  const line = height > 0 ? (innerHeight * scrollY) / height : 0;
  const passed = sections.filter((section) => section.getBoundingClientRect().top <= line);
  return (passed.at(-1) ?? sections[0])?.id;
}

function isInView(section: HTMLElement): boolean {
  const { top, bottom } = section.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
