import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

interface Props {
  label: string;
  /** The current query. */
  value: string;
  onSearch: (text: string) => void;
  className?: string | undefined;
}

const pause = 300;

/** A debounced search input; Enter searches at once. */
export function SearchBox({ label, value, onSearch, className }: Props) {
  const [text, setText] = useState(value);
  const [before, setBefore] = useState(value);
  // A link or the back button changed the query.
  if (value !== before) {
    setBefore(value);
    setText(value);
  }
  const wanted = text.trim();
  useEffect(() => {
    if (wanted === value) return;
    const timer = setTimeout(() => onSearch(wanted), pause);
    return () => clearTimeout(timer);
  }, [wanted, value, onSearch]);
  return (
    <TextInput
      className={className}
      type="search"
      size="sm"
      data-search
      maxLength={250}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') onSearch(wanted);
      }}
    />
  );
}
