import { Menu, type MenuProps } from '@mantine/core';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useState,
} from 'react';

interface Props extends Omit<MenuProps, 'opened' | 'onChange'> {
  button: ReactElement;
  children: ReactNode;
}

/** A menu that opens on mount; the focus returns to its button. */
export function OpenedMenu({ button, children, ...menu }: Props) {
  const [isOpened, setOpened] = useState(false);
  const [target, setTarget] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      target?.focus();
      setOpened(target !== null);
    });
    return () => cancelAnimationFrame(frame);
  }, [target]);
  return (
    <Menu {...menu} opened={isOpened} onChange={setOpened}>
      <Menu.Target>
        {cloneElement(button as ReactElement<{ ref?: Ref<HTMLElement> }>, { ref: setTarget })}
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
