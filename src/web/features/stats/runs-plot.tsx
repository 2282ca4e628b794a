// The bar chart of the runs per day, in a chunk of its own with the library that draws it.

import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { DayStats } from '#shared/api/stats.ts';
import { languageTag } from '../../lib/i18n.ts';
import { dayWords, type Result, results, stacked } from './figures.ts';

interface Props {
  days: DayStats[];
  height: number;
  /** The day under the pointer, by its place. */
  onPoint: (place: number | null) => void;
}

const colours: Record<Result, string> = {
  success: '--chart-success',
  error: '--chart-error',
  stopped: '--chart-stopped',
};

const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const numbers = new Intl.NumberFormat(languageTag, { notation: 'compact' });

function optionsOf({ days, height, onPoint }: Props, width: number): uPlot.Options {
  const font = `11px ${token('--mantine-font-family')}`;
  const axis = { font, stroke: token('--text-soft'), ticks: { show: false } };
  const bars = uPlot.paths.bars?.({ size: [0.72, 22] });
  return {
    width,
    height,
    // Room for the half of the last label.
    padding: [6, 16, 0, 0],
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.6, days.length - 0.4] },
      y: { range: (_plot, _min, max) => [0, Math.max(max * 1.05, 4)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        gap: 4,
        // The last one is today; then week by week.
        splits: () =>
          days.flatMap((_, place) => ((days.length - 1 - place) % 7 === 0 ? [place] : [])),
        values: (_plot, places) =>
          places.map((place) => dayWords(days[place]?.day ?? '1970-01-01', languageTag)),
      },
      {
        ...axis,
        grid: { stroke: token('--line'), width: 1 },
        size: 38,
        gap: 6,
        space: 34,
        incrs: [1, 2, 5]
          .flatMap((step) => [step, step * 10, step * 100, step * 1000])
          .toSorted((a, b) => a - b),
        values: (_plot, values) => values.map((value) => numbers.format(value)),
      },
    ],
    series: [
      {},
      ...results.toReversed().map((result) => ({
        fill: token(colours[result]),
        width: 0,
        points: { show: false },
        ...(bars && { paths: bars }),
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

/** Drawn anew when the numbers change, or the width; whoever shows it gives each theme a key. */
export function RunsPlot(props: Props) {
  const { days, height, onPoint } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const places = days.map((_, index) => index);
    const options = optionsOf({ days, height, onPoint }, element.clientWidth);
    const plot = new uPlot(options, [places, ...stacked(days)], element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [days, height, onPoint]);
  return <div ref={place} aria-hidden="true" />;
}
