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
  /** An `OpenedMenu` with the same button; its code is loaded when the menu is opened. */
  children: ReactNode;
}

/** A button whose menu is made when it is pressed for the first time. */
export function MenuButton({ button, children }: Props) {
  const [isPressed, setPressed] = useState(false);
  const alone = cloneElement(button as ReactElement<HTMLAttributes<HTMLElement>>, {
    onClick: () => setPressed(true),
    'aria-haspopup': 'menu',
    'aria-expanded': isPressed,
  });
  return isPressed ? <Suspense fallback={alone}>{children}</Suspense> : alone;
}
