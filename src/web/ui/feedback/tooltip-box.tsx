import { Tooltip } from '@mantine/core';
import '@mantine/core/styles/Tooltip.layer.css';

interface Props {
  label: string;
  target: Element;
  opened: boolean;
}

/** Use `hint.tsx`, which loads this when it is needed. */
export function Tip({ label, target, opened }: Props) {
  return (
    <Tooltip
      label={label}
      target={target as HTMLElement}
      opened={opened}
      multiline
      maw={320}
      transitionProps={{ duration: 100 }}
    />
  );
}
