import { IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import type { RunResult } from '#shared/api/run-results.ts';
import { t } from '../../../lib/i18n.ts';
import type { About } from './about.ts';
import { LineLink } from './line-link.tsx';
import { OutcomeIcon } from './outcome.tsx';
import { ResultDetails } from './result-details.tsx';
import classes from './result-list.module.css';
import { TimeSpan } from './time-span.tsx';

interface Props {
  result: RunResult;
  about: About;
  isOpen: boolean;
  /** Scrolled into view when it appears. */
  isAsked: boolean;
  onToggle: () => void;
  isWide: boolean;
}

export function ResultRow({ result, about, isOpen, isAsked, onToggle, isWide }: Props) {
  const id = useId();
  const name = 'host' in about ? about.host : about.name || t('log.outline.unnamed');
  return (
    <li
      ref={isAsked ? scrollToIt : undefined}
      className={`border-bottom ${classes.row}`}
      data-state={result.state}
    >
      <div className={`row gap-4 hover ${classes.line}`}>
        <button
          type="button"
          className={`grid items-center grow color-text focus-inside turn-open ${classes.toggle}`}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          <IconChevronRight className="soft" size={16} aria-hidden="true" />
          <OutcomeIcon state={result.state} />
          <span className="cut" title={name}>
            {name}
          </span>
          <span className={`small soft cut ${classes.message}`}>
            {isOpen ? '' : firstLine(result)}
          </span>
          <TimeSpan ms={result.duration_ms} />
        </button>
        <span className="flex-none smaller nowrap text-end" style={{ minWidth: 64 }}>
          {result.line && <LineLink line={result.line} />}
        </span>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <ResultDetails result={result} about={about} isWide={isWide} />}
      </div>
    </li>
  );
}

const scrollToIt = (row: HTMLElement | null): void => row?.scrollIntoView({ block: 'nearest' });

const firstLine = ({ message, error_output: errors, output }: RunResult): string =>
  [message, errors, output].map((text) => text.trim().split('\n', 1)[0] ?? '').find(Boolean) ?? '';
