import { Button, type ButtonProps } from '@mantine/core';
import '@mantine/core/styles/Loader.layer.css';
import type { ReactNode } from 'react';
import { Tooltip } from '../feedback/tooltip.tsx';

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
    <Tooltip label={refused}>
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
