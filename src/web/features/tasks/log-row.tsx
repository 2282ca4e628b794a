import { type CSSProperties, memo, useMemo } from 'react';
import type { LogLine } from '#shared/api/task-log.ts';
import { languageTag, useTranslation } from '../../lib/i18n.ts';
import { clockTime, exactTime } from '../../lib/time.ts';
import { type AnsiColor, type AnsiSegment, parseAnsi } from './ansi.ts';
import classes from './log-row.module.css';
import { type MarkedSegment, markHits } from './marks.ts';

interface Props {
  number: number;
  /** Undefined while it is loaded. */
  line: LogLine | undefined;
  digits: number;
  withTime: boolean;
  /** What is looked for. */
  pattern: RegExp | null;
  /** The hit that is looked at is in this line. */
  isHit: boolean;
  /** Where a line is that is too long to be shown. */
  wholeLine: (number: number) => string;
}

export const LogRow = memo(function LogRow(props: Props) {
  const { number, line, digits, withTime, pattern, isHit, wholeLine } = props;
  const { t } = useTranslation();
  const output = line?.output ?? '';
  const segments = useMemo(() => markHits(parseAnsi(output), pattern), [output, pattern]);
  return (
    <div className={classes.row} data-hit={isHit || undefined}>
      <span className={classes.number} style={{ minWidth: `${digits + 2}ch` }} aria-hidden="true">
        {number}
      </span>
      {withTime && (
        <time
          className={classes.time}
          dateTime={line?.time}
          title={line && exactTime(line.time, languageTag)}
        >
          {line && clockTime(line.time, languageTag)}
        </time>
      )}
      <span className={classes.text}>
        {line ? segments.map((segment, index) => <Segment key={index} {...segment} />) : '…'}
        {line?.cut !== undefined && (
          <>
            <em className="soft">{t('log.cut', { count: line.cut })}</em>{' '}
            <a href={wholeLine(number)} download>
              {t('log.whole_line')}
            </a>
          </>
        )}
      </span>
    </div>
  );
});

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

/** On a ground of its own, text without a colour takes the one of the log's surface. */
function colors(fg: Color, bg: Color): CSSProperties {
  const color = cssColor(fg ?? (bg === undefined ? undefined : 'surface'));
  return {
    ...(color === undefined ? {} : { '--own': color, color }),
    ...(bg === undefined ? {} : { background: cssColor(bg) }),
  };
}
