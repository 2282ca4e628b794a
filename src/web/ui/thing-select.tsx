import { Select, type SelectProps } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';

interface Props extends Omit<SelectProps, 'data' | 'value' | 'defaultValue' | 'onChange'> {
  /** What can be chosen; undefined while it is loaded. */
  things: { id: number; name: string }[] | undefined;
  value?: number | null;
  onChange?: (id: number | null) => void;
}

/** Chooses one of the things of a project; its value is the id. */
export function ThingSelect({ things = [], value = null, onChange, ...props }: Props) {
  return (
    <Select
      searchable
      // The first wrong field of a form is focused, and the list would cover what is wrong.
      openOnFocus={false}
      allowDeselect={false}
      data={things.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange?.(id === null ? null : Number(id))}
      {...props}
    />
  );
}
