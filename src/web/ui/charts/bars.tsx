import { type BarPart, type BarShape, columnAt, shapesOf } from './bar-shapes.ts';
import classes from './bars.module.css';

interface Props {
  bars: { parts: BarPart[]; isCurrent?: boolean }[];
  /** In px; nothing is drawn before the width is known. */
  width: number;
  height: number;
  /** The index of the bar under the pointer. */
  pointed: number | null;
}

/** The drawing of a strip of bars. */
export function Bars({ bars, width, height, pointed }: Props) {
  const size = { width, height };
  const stacks = bars.map(({ parts }) => parts);
  const current = bars.findIndex(({ isCurrent }) => isCurrent);
  return (
    <svg className="block" width={width} height={height} aria-hidden="true">
      {width > 0 && (
        <>
          {pointed !== null && (
            <path className={classes.pointed} d={columnAt(pointed, bars.length, size)} />
          )}
          {current >= 0 && (
            <path className={classes.current} d={columnAt(current, bars.length, size)} />
          )}
          {shapesOf(stacks, size).map((shape) => (
            <Shape key={shape.result} {...shape} />
          ))}
        </>
      )}
    </svg>
  );
}

/** In px; a whole number, because the edges of tiles would be visible otherwise. */
const HATCH_SIZE = 6;

/** The hatch of failures. One for the page, because a list has hundreds of strips. */
export const Hatch = () => (
  <svg className="absolute" width={0} height={0} aria-hidden="true">
    <pattern id="hatch" width={HATCH_SIZE} height={HATCH_SIZE} patternUnits="userSpaceOnUse">
      <rect className={classes.ground} width={HATCH_SIZE} height={HATCH_SIZE} />
      <path className={classes.hatch} d="M-1 1l2-2M0 6l6-6M5 7l2-2" />
    </pattern>
  </svg>
);

const Shape = ({ result, boxes, tops }: BarShape) => (
  <>
    <path className={classes.boxes} data-result={result} d={boxes} />
    {result === 'running' && <path className={classes.tops} d={tops} />}
  </>
);
