import { useLayoutEffect, useRef } from 'react';
import { t } from '../../../lib/i18n.ts';
import classes from './timeline.module.css';
import type { Zoom } from './use-zoom.ts';

interface Props {
  /** The columns of the table above. */
  grid: string;
  zoom: Zoom;
  /** The width of the chart in pixels. */
  width: number;
}

/** A scrollbar below the chart, as long as the run. */
export function TimeScroller({ grid, zoom, width }: Props) {
  const bar = useRef<HTMLElement>(null);
  const { view, length, isWhole, pan } = zoom;
  const perPixel = width === 0 ? 0 : view.span / width;
  useLayoutEffect(() => {
    if (bar.current && perPixel > 0) bar.current.scrollLeft = view.from / perPixel;
  }, [view.from, perPixel]);
  const onScroll = () => {
    const by = (bar.current?.scrollLeft ?? 0) * perPixel - view.from;
    // Positions are rounded to pixels, also those that this component has set itself.
    if (!isWhole && Math.abs(by) > perPixel * 1.5) pan(by);
  };
  return (
    <div
      className={`grid flex-none gutter ${classes.scroller}`}
      style={{ gridTemplateColumns: grid }}
    >
      <span />
      <section
        ref={bar}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
        tabIndex={isWhole ? -1 : 0}
        aria-label={t('timeline.visible')}
        onScroll={onScroll}
      >
        <div style={{ width: perPixel > 0 ? Math.round(length / perPixel) : 0, height: 1 }} />
      </section>
    </div>
  );
}
