import type { CSSProperties } from 'react';
import type { AnsiColor, AnsiSegment } from './ansi.ts';
import classes from './log-segment.module.css';
import { otherHost } from './links.ts';
import type { MarkedSegment } from './marks.ts';

export function Segment({ isHit, ...segment }: MarkedSegment) {
  const text = isHit ? (
    <mark className={classes.mark}>{segment.text}</mark>
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

/** Text with a background but no colour has the colour of the log's surface. */
function colors(fg: Color, bg: Color): CSSProperties {
  const color = cssColor(fg ?? (bg === undefined ? undefined : 'surface'));
  return {
    ...(color === undefined ? {} : { '--own': color, color }),
    ...(bg === undefined ? {} : { background: cssColor(bg) }),
  };
}
