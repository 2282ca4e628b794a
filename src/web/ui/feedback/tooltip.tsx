import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';

const TooltipBox = lazy(async () => ({
  default: (await import('./tooltip-box.tsx')).TooltipBox,
}));

interface Props {
  label: string;
  /** Where it appears if there is room. */
  side?: 'top' | 'left';
  /** Exactly one element, beside which the tooltip appears. */
  children: ReactNode;
}

/**
 * Shows words beside an element while the pointer is on it, or while it has the focus of the keyboard:
 * not where a dialog has put the focus.
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
