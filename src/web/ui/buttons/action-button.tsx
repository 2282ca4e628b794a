import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Tooltip } from '../feedback/tooltip.tsx';

interface Props extends ButtonProps {
  /** Why the button is disabled. It stays focusable, so that the reason can be read. */
  refused?: string | null | undefined;
  onClick: () => void;
  children: ReactNode;
  'aria-label'?: string;
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
