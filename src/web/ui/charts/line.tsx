import classes from './line.module.css';

interface Props {
  /** Oldest first; null: unknown. The last one is at the right edge. */
  values: (number | null)[];
  /** The number of values that fill the width. */
  room: number;
  /** In px. */
  height: number;
}

const WIDTH = 100;
// The stroke of the highest and of the lowest value stays inside.
const MARGIN = 2;

/** A small line from zero to the highest value; the caller says the same in words. */
export function Line({ values, room, height }: Props) {
  return (
    <svg
      className={`block w-full ${classes.line}`}
      style={{ height }}
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={pathOf(values, { room, height })} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** The path has a gap for each unknown value. */
export function pathOf(
  values: (number | null)[],
  { room, height }: Pick<Props, 'room' | 'height'>,
): string {
  const highest = Math.max(1, ...values.map((value) => value ?? 0));
  const step = WIDTH / Math.max(1, room - 1);
  let isOpen = false;
  const parts = values.map((value, index) => {
    if (value === null) {
      isOpen = false;
      return '';
    }
    const x = WIDTH - (values.length - 1 - index) * step;
    const y = height - MARGIN - (value / highest) * (height - 2 * MARGIN);
    const command = isOpen ? 'L' : 'M';
    isOpen = true;
    // A point alone is drawn as a line of no length.
    return `${command}${round(x)} ${round(y)}${command === 'M' ? 'h0' : ''}`;
  });
  return parts.join('');
}

const round = (number: number): number => Math.round(number * 100) / 100;
