import { IconChevronDown } from '@tabler/icons-react';
import { type CSSProperties, memo, useMemo } from 'react';
import type { LogLine } from '#shared/api/task-log.ts';
import { languageTag, useTranslation } from '../../../lib/i18n.ts';
import { clockTime, exactTime } from '../../../lib/time.ts';
import { type AnsiColor, type AnsiSegment, parseAnsi } from './ansi.ts';
import classes from './log-row.module.css';
import { type MarkedSegment, markHits } from './marks.ts';
import { canFold, hasFailed, type Section } from '../outline/outline.ts';
import { SectionCounts } from '../outline/section-counts.tsx';

interface Props {
  number: number;
  /** Undefined while it is loaded. */
  line: LogLine | undefined;
  digits: number;
  withTime: boolean;
  /** The pattern that is searched for. */
  pattern: RegExp | null;
  /** The current hit of the search is in this line. */
  isHit: boolean;
  /** Where the whole line can be downloaded, when it is too long to be shown. */
  wholeLine: (number: number) => string;
  /** The address of a line, but for its number. */
  prefix: string;
  /** The address of the page names this line. */
  isMarked: boolean;
  /** The play or task that begins here. */
  section: Section | undefined;
  isFolded: boolean;
}

export const LogRow = memo(function LogRow(props: Props) {
  const { line, isHit, withTime, isMarked, section } = props;
  return (
    <div
      className={classes.row}
      data-hit={isHit || undefined}
      data-marked={isMarked || undefined}
      data-section={section?.kind}
      data-failed={(section && hasFailed(section)) || undefined}
    >
      <LineNumber {...props} />
      {withTime && (
        <time
          className={classes.time}
          dateTime={line?.time}
          title={line && exactTime(line.time, languageTag)}
        >
          {line && clockTime(line.time, languageTag)}
        </time>
      )}
      <LineText {...props} />
      {section && (
        <span className={classes.counts}>
          <SectionCounts section={section} />
        </span>
      )}
    </div>
  );
});

function LineNumber({ number, digits, prefix, isMarked, section, isFolded }: Props) {
  const { t } = useTranslation();
  return (
    <span className={classes.number} style={{ '--digits': digits } as CSSProperties}>
      {/* Reached by "Go to line" from the keyboard: a tab stop in each line would be too many. */}
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

const headings = {
  play: 'PLAY',
  task: 'TASK',
  handler: 'RUNNING HANDLER',
  recap: 'PLAY RECAP',
};

function LineText({ number, line, pattern, wholeLine, section }: Props) {
  const { t } = useTranslation();
  const output = line?.output ?? '';
  const segments = useMemo(() => markHits(parseAnsi(output), pattern), [output, pattern]);
  const [shown, stars] = section ? withoutStars(segments) : [segments, ''];
  return (
    <span className={classes.text}>
      {!line && (section ? `${headings[section.kind]} [${section.name}]` : '…')}
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
    </span>
  );
}

/** Headings are filled up with stars, which are drawn apart. */
function withoutStars(segments: MarkedSegment[]): [rest: MarkedSegment[], stars: string] {
  const last = segments.at(-1);
  const stars = / \*+$/.exec(last?.text ?? '')?.[0] ?? '';
  if (!last || last.isHit) return [segments, ''];
  const text = last.text.slice(0, last.text.length - stars.length);
  return [[...segments.slice(0, -1), { ...last, text }], stars];
}

function FoldButton({ section, isFolded }: { section: Section; isFolded: boolean }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={classes.fold}
      data-fold={section.line}
      aria-expanded={!isFolded}
      aria-label={t(`log.outline.${section.kind}`, { name: section.name })}
    >
      <IconChevronDown size={14} aria-hidden="true" />
    </button>
  );
}

function Segment({ isHit, ...segment }: MarkedSegment) {
  return isHit ? <mark className={classes.mark}>{segment.text}</mark> : <StyledText {...segment} />;
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
        .map((name) => classes[name])
        .concat(own ? classes.own : undefined)
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

/** Text with a background but without a colour has the colour of the log's surface. */
function colors(fg: Color, bg: Color): CSSProperties {
  const color = cssColor(fg ?? (bg === undefined ? undefined : 'surface'));
  return {
    ...(color === undefined ? {} : { '--own': color, color }),
    ...(bg === undefined ? {} : { background: cssColor(bg) }),
  };
}
