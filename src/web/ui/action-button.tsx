import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import '@mantine/core/styles/Loader.layer.css';
import '@mantine/core/styles/Tooltip.layer.css';
import type { ReactNode } from 'react';

interface Props extends ButtonProps {
  /** Why it cannot be used now. The button stays reachable, so that the reason can be read. */
  refused?: string | null | undefined;
  onClick: () => void;
  children: ReactNode;
  'aria-label'?: string;
  /** The key that presses it. */
  'data-shortcut'?: string;
}

export function ActionButton({ refused, onClick, ...props }: Props) {
  if (!refused) return <Button {...props} onClick={onClick} />;
  return (
    <Tooltip label={refused} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...props}
        data-disabled
        aria-disabled="true"
        aria-description={refused}
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  );
}
