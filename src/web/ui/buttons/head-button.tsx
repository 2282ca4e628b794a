import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './head-button.module.css';

interface Props
  extends Omit<ButtonProps, 'children'>, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  label: string;
  /** A shorter text than the label; visible on wide screens only. */
  text?: string;
  icon: ReactNode;
  /** Renders a link in place of the button. */
  renderRoot?: (props: object) => ReactNode;
}

/** A secondary button in the header of a page; small screens show only its icon. */
export function HeadButton({ label, text, icon, ...props }: Props) {
  return (
    <Button
      {...props}
      variant="default"
      className={classes.button ?? ''}
      data-wide={text !== undefined || undefined}
      classNames={{ section: classes.icon ?? '', label: classes.label ?? '' }}
      leftSection={icon}
      aria-label={label}
      title={label}
    >
      {text ?? label}
    </Button>
  );
}
