import { Tooltip as MantineTooltip } from '@mantine/core';
import '@mantine/core/styles/Tooltip.layer.css';

interface Props {
  label: string;
  target: Element;
  opened: boolean;
  side: 'top' | 'left' | 'right';
}

/** The lazy-loaded part of `Tooltip`. */
export function TooltipBox({ label, target, opened, side }: Props) {
  return (
    <MantineTooltip
      label={label}
      target={target as HTMLElement}
      opened={opened}
      position={side}
      multiline
      maw={320}
      transitionProps={{ duration: 100 }}
    />
  );
}
