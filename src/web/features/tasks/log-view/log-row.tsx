import { IconBraces, IconChevronDown, IconCopy } from '@tabler/icons-react';
import { type CSSProperties, memo, useMemo } from 'react';
import type { LogLine } from '#shared/api/task-log.ts';
import { t, timeTag } from '../../../lib/i18n.ts';
import { clockTime, exactTime } from '../../../lib/time.ts';
import { copy } from '../../../ui/buttons/copy.tsx';
import { canFold, hasFailed, type Section } from '../outline/outline.ts';
import { SectionCounts } from '../outline/section-counts.tsx';
import { type AnsiColor, type AnsiSegment, parseAnsi } from './ansi.ts';
import { type MarkedSegment, markHits } from './marks.ts';
import { jsonAtEnd } from './result-json.ts';
import { otherHost } from './links.ts';
import classes from './log-row.module.css';
import logSegmentClasses from './log-segment.module.css';

interface Props {
  number: number;
  /** Undefined while it is loaded. */
  line: LogLine | undefined;
  digits: number;
  withTime: boolean;
  pattern: RegExp | null;
  /** Whether the line has the current match of the search. */
  isHit: boolean;
  /** The download address of a line that is too long to be shown. */
  wholeLine: (number: number) => string;
  /** The address of a line without its number. */
  prefix: string;
  /** The address of the results of a task of the playbook, without the number of its section. */
  resultsPrefix: string;
  isMarked: boolean;
  section: Section | undefined;
  isFolded: boolean;
  /** Whether the line has the result of a host that failed. */
  isFailure: boolean;
  /** Whether the result of a failed host is shown in lines below. */
  isJsonOpen: boolean;
}

export const LogRow = memo(function LogRow(props: Props) {
  const { line, isHit, withTime, isMarked, section } = props;
  return (
    <div
      className={`flex ${classes.row}`}
      data-hit={isHit || undefined}
      data-marked={isMarked || undefined}
      data-json-open={props.isJsonOpen || undefined}
      data-section={section?.kind}
      data-failed={(section && hasFailed(section)) || undefined}
    >
      <LineNumber {...props} />
      {withTime && (
        <time
          className={classes.time}
          dateTime={line?.time}
          title={line && exactTime(line.time, timeTag())}
        >
          {line && clockTime(line.time, timeTag())}
        </time>
      )}
      <LineText {...props} />
      {section && <Counts section={section} resultsPrefix={props.resultsPrefix} />}
    </div>
  );
});

function LineNumber({ number, digits, prefix, isMarked, section, isFolded }: Props) {
  return (
    <span
      className={`bg-log-surface ${classes.number}`}
      style={{ '--digits': digits } as CSSProperties}
    >
      {/* "Go to line" is the way by keyboard; a tab stop in each line would be too many. */}
      <a
        href={prefix + number}
        data-line={number}
        tabIndex={-1}
        aria-label={t('log.line', { number })}
        aria-current={isMarked || undefined}
      >
        {number}
      </a>
      {section && canFold(section) && <FoldButton section={section} isFolded={isFolded} />}
    </span>
  );
}

/** The results of a play or task; those of a task lead to its results on each host. */
function Counts({ section, resultsPrefix }: { section: Section; resultsPrefix: string }) {
  const { kind, section: number, name } = section;
  if (number === undefined || kind === 'play' || kind === 'recap') {
    return (
      <span className={`flex gap-10 flex-none ml-auto smallest bg-log-surface ${classes.counts}`}>
        <SectionCounts section={section} />
      </span>
    );
  }
  return (
    <a
      className={`flex gap-10 flex-none ml-auto smallest bg-log-surface ${classes.counts}`}
      href={resultsPrefix + number}
      data-results={number}
      title={t('run.results_of', { name })}
    >
      <SectionCounts section={section} />
    </a>
  );
}

const headings = {
  play: 'PLAY',
  task: 'TASK',
  handler: 'RUNNING HANDLER',
  recap: 'PLAY RECAP',
};

function LineText(props: Props) {
  const { number, line, pattern, wholeLine, section, isFailure } = props;
  const output = line?.output ?? '';
  const segments = useMemo(() => markHits(parseAnsi(output), pattern), [output, pattern]);
  const mayHaveJson = isFailure && line?.cut === undefined;
  const json = useMemo(
    () => (mayHaveJson ? jsonAtEnd(plainText(parseAnsi(output))) : null),
    [output, mayHaveJson],
  );
  const [shown, stars] = section ? withoutStars(segments) : [segments, ''];
  return (
    <span className={classes.text}>
      {!line && section && `${headings[section.kind]} [${section.name}]`}
      {shown.map((segment, index) => (
        <Segment key={index} {...segment} />
      ))}
      {stars && <span className={classes.stars}>{stars}</span>}
      {line?.cut !== undefined && (
        <>
          <em className="soft">{t('log.cut', { count: line.cut })}</em>{' '}
          <a href={wholeLine(number)} download>
            {t('log.whole_line')}
          </a>
        </>
      )}
      {json !== null && <ResultJson number={number} json={json} isOpen={props.isJsonOpen} />}
    </span>
  );
}

const plainText = (segments: AnsiSegment[]): string => segments.map(({ text }) => text).join('');

interface ResultProps {
  number: number;
  /** With a line for each field. */
  json: string;
  isOpen: boolean;
}

/** The button of the line of a failed host, and its result with a line for each field. */
function ResultJson({ number, json, isOpen }: ResultProps) {
  return (
    <>
      <button
        type="button"
        className={`inline-flex center soft ${classes.json}`}
        data-json={number}
        aria-expanded={isOpen}
        aria-label={t('log.result_lines')}
        title={t('log.result_lines')}
      >
        <IconBraces size={14} aria-hidden="true" />
      </button>
      {isOpen && (
        <span className={`block bg-sunken border rounded-6 relative ${classes.result}`}>
          <code className="block pre-wrap break">{json}</code>
          <button
            type="button"
            className={`absolute inline-flex items-center gap-4 small color-text bg-surface border-strong rounded-6 ${classes.copy}`}
            onClick={() => void copy(json, t('log.result_copied'))}
          >
            <IconCopy size={14} aria-hidden="true" />
            {t('log.copy_text')}
          </button>
        </span>
      )}
    </>
  );
}

/** Ansible pads headings with stars, which are drawn separately. */
function withoutStars(segments: MarkedSegment[]): [rest: MarkedSegment[], stars: string] {
  const last = segments.at(-1);
  const stars = / \*+$/.exec(last?.text ?? '')?.[0] ?? '';
  if (!last || last.isHit) return [segments, ''];
  const text = last.text.slice(0, last.text.length - stars.length);
  return [[...segments.slice(0, -1), { ...last, text }], stars];
}

function FoldButton({ section, isFolded }: { section: Section; isFolded: boolean }) {
  return (
    <button
      type="button"
      className={`grid soft absolute ${classes.fold}`}
      data-fold={section.line}
      aria-expanded={!isFolded}
      aria-label={t(`log.outline.${section.kind}`, { name: section.name })}
    >
      <IconChevronDown size={14} aria-hidden="true" />
    </button>
  );
}

export function Segment({ isHit, ...segment }: MarkedSegment) {
  const text = isHit ? (
    <mark className={logSegmentClasses.mark}>{segment.text}</mark>
  ) : (
    <StyledText {...segment} />
  );
  const { href } = segment;
  if (href === undefined) return text;
  const host = otherHost(segment.text, href);
  return (
    <>
      <a href={href} title={href} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
      {host !== null && <em className="soft">{` (${host})`}</em>}
    </>
  );
}

function StyledText({ text, style }: AnsiSegment) {
  const names = Object.keys(style);
  if (names.length === 0) return text;
  const { inverse } = style;
  const fg = inverse ? (style.bg ?? 'surface') : style.fg;
  const bg = inverse ? (style.fg ?? 'text') : style.bg;
  const own = typeof fg === 'string' && fg.startsWith('#') && bg === undefined;
  return (
    <span
      className={names
        .map((name) => logSegmentClasses[name])
        .concat(own ? logSegmentClasses.own : undefined)
        .filter(Boolean)
        .join(' ')}
      style={colors(fg, bg)}
    >
      {text}
    </span>
  );
}

type Color = AnsiColor | 'surface' | 'text' | undefined;

function cssColor(color: Color): string | undefined {
  if (typeof color === 'number') return `var(--ansi-${color})`;
  if (color === 'surface' || color === 'text') return `var(--log-${color})`;
  return color;
}

/** Text with a background but no colour has the colour of the log's surface. */
function colors(fg: Color, bg: Color): CSSProperties {
  const color = cssColor(fg ?? (bg === undefined ? undefined : 'surface'));
  return {
    ...(color === undefined ? {} : { '--own': color, color }),
    ...(bg === undefined ? {} : { background: cssColor(bg) }),
  };
}
