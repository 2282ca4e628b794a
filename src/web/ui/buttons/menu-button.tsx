import {
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from 'react';

interface Props {
  button: ReactElement;
  /** An `OpenedMenu` with the same button; lazy-loaded at the first opening. */
  children: ReactNode;
}

export function MenuButton({ button, children }: Props) {
  const [isPressed, setPressed] = useState(false);
  const alone = cloneElement(button as ReactElement<HTMLAttributes<HTMLElement>>, {
    onClick: () => setPressed(true),
    'aria-haspopup': 'menu',
    'aria-expanded': isPressed,
  });
  return isPressed ? <Suspense fallback={alone}>{children}</Suspense> : alone;
}
