import type { CSSProperties, RefObject } from 'react';
import { stopwatch, ticksBetween, tickStep } from '../../../lib/time-ticks.ts';
import type { TimeView } from './time-view.ts';
import classes from './timeline.module.css';

/** Pixels for the label of a tick. */
const tickRoom = 84;
const halfLabel = 26;

const stepOf = ({ span }: TimeView, width: number): number => tickStep(span, width / tickRoom);

interface Props {
  axis: RefObject<HTMLDivElement | null>;
  view: TimeView;
  width: number;
}

export function TimeAxis({ axis, view, width }: Props) {
  const { from, span } = view;
  const step = stepOf(view, width);
  const ticks = width > 0 ? ticksBetween(from, from + span, step) : [];
  return (
    <div ref={axis} className={`relative numbers ${classes.axis}`} aria-hidden="true">
      {ticks.map((tick) => {
        const x = ((tick - from) / span) * width;
        return x > width - halfLabel ? null : (
          <span
            key={tick}
            className="absolute"
            style={{ left: x, ...(x >= halfLabel && { transform: 'translateX(-50%)' }) }}
          >
            {stopwatch(tick, step)}
          </span>
        );
      })}
    </div>
  );
}

/** The lines of the ticks in a lane: a background, so that they need no elements. */
export function tickStyle(view: TimeView, width: number): CSSProperties {
  const step = stepOf(view, width);
  const rate = width / view.span;
  const offset = (Math.ceil(view.from / step) * step - view.from) * rate;
  return { backgroundSize: `${step * rate}px 100%`, backgroundPositionX: offset };
}
