import { type ReactNode, Suspense, useRef, useState } from 'react';
import { lazyExport } from '../lazy-export.ts';

const TooltipBox = lazyExport(() => import('./tooltip-box.tsx'), 'TooltipBox');

interface Props {
  label: string;
  /** The preferred side. */
  side?: 'top' | 'left';
  /** Exactly one element. */
  children: ReactNode;
}

/**
 * Shows a text beside an element on hover or keyboard focus (`:focus-visible`), not after a dialog
 * has moved the focus.
 */
export function Tooltip({ label, side = 'top', children }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const [target, setTarget] = useState<Element | null>(null);
  const [isShown, setShown] = useState(false);
  const show = () => {
    setTarget(place.current?.firstElementChild ?? null);
    setShown(true);
  };
  const hide = () => setShown(false);
  return (
    <>
      <span
        ref={place}
        style={{ display: 'contents' }}
        onPointerOver={show}
        onPointerOut={hide}
        onFocus={({ target: focused }) => focused.matches(':focus-visible') && show()}
        onBlur={hide}
      >
        {children}
      </span>
      {target && (
        <Suspense>
          <TooltipBox label={label} target={target} opened={isShown} side={side} />
        </Suspense>
      )}
    </>
  );
}
