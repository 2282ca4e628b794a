import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './head-button.module.css';

interface Props
  extends Omit<ButtonProps, 'children'>, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  label: string;
  /** What is shown, if it is shorter than the label; only wide screens have room for it. */
  text?: string;
  icon: ReactNode;
}

/** A lesser button in the head of a page; small screens show only its icon. */
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
