import { Button, type ButtonProps, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconLetterCase, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { errorWords } from '../../../lib/error-words.ts';
import { t } from '../../../lib/i18n.ts';
import type { LogMatches, LogFinder, LogQuery } from '../log/log-finder.ts';
import classes from './log-search-box.module.css';

const typingPause = 250;

interface Props {
  finder: LogFinder;
  found: LogMatches;
  input: RefObject<HTMLInputElement | null>;
}

export function LogSearchBox({ finder, found, input }: Props) {
  const [wanted, setWanted] = useState<LogQuery>({ text: '', matchCase: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const find = (changed: Partial<LogQuery>, pause: number) => {
    const next = { ...wanted, ...changed };
    setWanted(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void finder.find(next), pause);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      if (wanted.text === found.text) void finder.step(event.shiftKey ? -1 : 1);
      else find({}, 0);
    } else if (event.key === 'Escape' && wanted.text !== '') {
      find({ text: '' }, 0);
    }
  };
  const none = found.hits.length === 0;
  return (
    <search className={`row gap-4 ${classes.box}`} aria-label={t('log.search.label')}>
      <TextInput
        ref={input}
        className={`grow ${classes.input}`}
        size="xs"
        type="search"
        aria-label={t('log.search.label')}
        placeholder={t('log.search.label')}
        maxLength={250}
        leftSection={<IconSearch size={14} aria-hidden="true" />}
        value={wanted.text}
        onChange={(event) => find({ text: event.currentTarget.value }, typingPause)}
        onKeyDown={onKeyDown}
        // Escape clears the text first; a second Escape closes the dialog.
        data-mantine-stop-propagation={wanted.text !== ''}
      />
      <output className={`soft numbers nowrap text-end ${classes.count}`}>
        <Count found={found} />
      </output>
      <IconButton
        label={t('log.search.case')}
        variant={wanted.matchCase ? 'light' : 'subtle'}
        aria-pressed={wanted.matchCase}
        onClick={() => find({ matchCase: !wanted.matchCase }, 0)}
      >
        <IconLetterCase size={16} />
      </IconButton>
      <IconButton
        label={t('log.search.previous')}
        disabled={none}
        onClick={() => void finder.step(-1)}
      >
        <IconChevronUp size={16} />
      </IconButton>
      <IconButton label={t('log.search.next')} disabled={none} onClick={() => void finder.step(1)}>
        <IconChevronDown size={16} />
      </IconButton>
    </search>
  );
}

interface IconButtonProps extends ButtonProps {
  label: string;
  onClick: () => void;
  'aria-pressed'?: boolean;
}

function IconButton({ label, ...props }: IconButtonProps) {
  return (
    <Button variant="subtle" size="compact-sm" px={5} aria-label={label} title={label} {...props} />
  );
}

function Count({ found: { text, at, total, isExact, busy, failure } }: Pick<Props, 'found'>) {
  if (failure !== null) return errorWords(failure);
  if (text === '') return null;
  if (at < 0) return t(busy ? 'log.search.busy' : 'log.search.none');
  return t(isExact ? 'log.search.place' : 'log.search.place_of_more', { at: at + 1, total });
}
