import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  onClick: () => void;
  children: ReactNode;
}

/** Adds a row to a list within a form. */
export const AddRowButton = (props: Props) => (
  <Button variant="default" size="compact-sm" leftSection={<IconPlus size={14} />} {...props} />
);
