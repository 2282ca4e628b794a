import { memo, type PointerEvent, type RefObject } from 'react';
import { isBad, worstOf } from '../results/outcomes.ts';
import { countsOf, type Lane } from './lanes.ts';
import { laneHeight } from './shapes.ts';
import classes from './timeline.module.css';
import { scrollTo } from './use-lane-keys.ts';

interface Props {
  box: RefObject<HTMLElement | null>;
  lanes: readonly Lane[];
}

/** Marks failed lanes beside the scrollbar; a click scrolls there. The filter does the same by keyboard. */
export const FailureRail = memo(function FailureRail({ box, lanes }: Props) {
  const path = lanes
    .flatMap((lane, index) => (hasFailed(lane) ? [`M0 ${index + 0.5}h1`] : []))
    .join('');
  const scroll = ({ currentTarget, clientY }: PointerEvent) => {
    const { top, height } = currentTarget.getBoundingClientRect();
    scrollTo(box.current, Math.floor(((clientY - top) / height) * lanes.length));
  };
  return (
    <svg
      className={`flex-none ${classes.rail}`}
      viewBox={`0 0 1 ${Math.max(1, lanes.length)}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      // Below the header; beside the lanes themselves if all of them fit.
      style={{
        marginTop: laneHeight,
        height: `min(100% - ${laneHeight}px, ${lanes.length * laneHeight}px)`,
      }}
      onPointerDown={scroll}
    >
      <path d={path} />
    </svg>
  );
});

function hasFailed(lane: Lane): boolean {
  const counts = countsOf(lane);
  return counts !== null && isBad(worstOf(counts));
}
