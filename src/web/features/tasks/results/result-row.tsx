import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { Link } from '@tanstack/react-router';
import type { RunResult } from '#shared/api/run-results.ts';
import { shownText } from '#shared/terminal.ts';
import { numberText, t, timeTag } from '../../../lib/i18n.ts';
import { exactTime } from '../../../lib/time.ts';
import { OutcomeIcon } from './outcome.tsx';
import { TimeSpan } from './time-span.tsx';
import { DiffView } from './diff-view.tsx';
import { isBad } from './outcomes.ts';
import { toHost, toLine, toSection } from './run-address.ts';
import classes from './result-list.module.css';
import resultDetailsClasses from './result-details.module.css';

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

interface ResultDetailsProps {
  result: RunResult;
  about: About;
  isWide: boolean;
}

function ResultDetails({ result, about, isWide }: ResultDetailsProps) {
  return (
    <div className={`grid one-column gap-10 small ${resultDetailsClasses.details}`}>
      {result.is_hidden && (
        <p className="soft" style={{ fontStyle: 'italic' }}>
          {t('run.hidden')}
        </p>
      )}
      <SharedFields fields={result} isWide={isWide} />
      <ResultFacts result={result} />
      {result.shown_items.length > 0 && (
        <ul className="grid one-column gap-12" aria-label={t('run.items')}>
          {result.shown_items.map((item, index) => (
            <li
              key={index}
              className="grid one-column gap-8"
              style={{ paddingLeft: 12, borderLeft: '2px solid var(--line-strong)' }}
            >
              <p className="row gap-8">
                <OutcomeIcon state={item.state} />
                <b className="weight-600 break">{item.item}</b>
              </p>
              <SharedFields fields={item} isWide={isWide} />
            </li>
          ))}
        </ul>
      )}
      {result.is_cut && (
        <p className="soft" style={{ fontStyle: 'italic' }}>
          {t('run.cut')}
        </p>
      )}
      <OtherWay about={about} />
    </div>
  );
}

type Fields = Pick<
  RunResult,
  'message' | 'output' | 'error_output' | 'diffs' | 'exit_code' | 'state'
>;

/** The fields that a result and an item of a loop share. */
function SharedFields({ fields, isWide }: { fields: Fields; isWide: boolean }) {
  return (
    <>
      {fields.message && !isRepeated(fields) && (
        <p
          className={`break pre-wrap ${isBad(fields.state) ? 'color-danger weight-550' : ''}`}
          style={{ fontSize: 13.5 }}
        >
          {clean(fields.message)}
        </p>
      )}
      <Output name={t('run.error_output')} text={fields.error_output} />
      <Output name={t('run.output')} text={fields.output} />
      {fields.diffs.map((diff, index) => (
        <DiffView key={index} diff={diff} isWide={isWide} />
      ))}
    </>
  );
}

/** Whether the message repeats the output, which is shown below it. */
const isRepeated = ({ message, output, error_output: errors }: Fields): boolean =>
  [output, errors].some((text) => text.trim() === message.trim());

/** A text as a terminal would show it, without colours. */
const clean = (text: string): string => text.split('\n').map(shownText).join('\n');

function Output({ name, text }: { name: string; text: string }) {
  if (!text) return null;
  return (
    <figure className="min-w-0">
      <figcaption className="soft smaller">{name}</figcaption>
      <pre
        className={`smaller font-mono bg-log border rounded-6 overflow-auto ${resultDetailsClasses.output}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
        tabIndex={0}
      >
        {clean(text)}
      </pre>
    </figure>
  );
}

function ResultFacts({ result }: { result: RunResult }) {
  const { exit_code: exitCode, tries, delegated_to: other, items, begin } = result;
  return (
    <dl className={`flex wrap ${resultDetailsClasses.facts}`}>
      {begin && <Fact name={t('task.fact.start')}>{exactTime(begin, timeTag())}</Fact>}
      {exitCode !== null && <Fact name={t('run.exit_code')}>{exitCode}</Fact>}
      {tries !== null && <Fact name={t('run.tries')}>{numberText(tries)}</Fact>}
      {other !== null && <Fact name={t('run.delegated_to')}>{other}</Fact>}
      {items && (
        <Fact name={t('run.items')}>
          {(['ok', 'changed', 'failed', 'skipped'] as const)
            .filter((name) => items[name] > 0)
            .map((name) => t(`log.outline.${name}`, { count: items[name] }))
            .join(', ')}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex baseline gap-6 min-w-0">
      <dt className="soft smaller">{name}</dt>
      <dd className="min-w-0 break">{children}</dd>
    </div>
  );
}

/** A link to the results of the same task on all hosts, or to those of the same host. */
function OtherWay({ about }: Pick<ResultDetailsProps, 'about'>) {
  return (
    <p>
      {'host' in about ? (
        <Link to="." search={toHost(about.host)} resetScroll={false}>
          {t('run.of_host', { name: about.host })}
        </Link>
      ) : (
        <Link to="." search={toSection(about.section)} resetScroll={false}>
          {t('run.of_task')}
        </Link>
      )}
    </p>
  );
}

/** The host or the task of a result, whichever the list of results does not have in its title. */
export type About = { host: string } | { section: number; name: string };

export function LineLink({ line }: { line: number }) {
  return (
    <Link to="." search={toLine(line)} resetScroll={false} className="numbers">
      {t('log.line', { number: line })}
    </Link>
  );
}
