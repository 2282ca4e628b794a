import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import classes from './tooltip.module.css';

const Tip = lazy(async () => ({ default: (await import('./tooltip-box.tsx')).Tip }));

interface Props {
  label: string;
  /** One element. */
  children: ReactNode;
}

/** Words beside an element while it is pointed at or has the focus; loaded with the first use. */
export function Hint({ label, children }: Props) {
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
        className={classes.place}
        onPointerOver={show}
        onPointerOut={hide}
        onFocus={show}
        onBlur={hide}
      >
        {children}
      </span>
      {target && (
        <Suspense>
          <Tip label={label} target={target} opened={isShown} />
        </Suspense>
      )}
    </>
  );
}
