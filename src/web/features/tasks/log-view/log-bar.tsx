import { ActionIcon, Button, type ButtonProps, TextInput } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Input.layer.css';
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconChevronUp,
  IconClock,
  IconFold,
  IconFoldDown,
  IconLetterCase,
  IconListTree,
  IconSearch,
  IconTextWrap,
} from '@tabler/icons-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { t } from '../../../lib/i18n.ts';
import { Tooltip } from '../../../ui/feedback/tooltip.tsx';
import { listenInDialog } from '../../../lib/shortcuts.ts';
import { errorWords } from '../../../lib/error-words.ts';
import { failureBeside, type Outline } from '../outline/outline.ts';
import type { LineAddress } from '../log/line-address.ts';
import type { LogStore } from '../log/log-store.ts';
import type { Folding } from '../outline/use-outline.ts';
import { type LogSearch, useLogChanges } from '../log/use-task-log.ts';
import type { LogFinder, LogMatches, LogQuery } from '../log/log-finder.ts';
import classes from './log-bar.module.css';
import logSearchBoxClasses from './log-search-box.module.css';

type Choice = [value: boolean, set: (value: boolean) => void];

interface Props {
  store: LogStore;
  lost: boolean;
  search: LogSearch;
  input: RefObject<HTMLInputElement | null>;
  address: LineAddress;
  folding: Folding;
  outline: Choice;
  times: Choice;
  wrap: Choice;
  children: ReactNode;
}

export function LogBar(props: Props) {
  const { store, lost, search, input, address, folding, children, ...choices } = props;
  const { outline, folded, foldAll } = folding;
  const [withOutline, setWithOutline] = choices.outline;
  const failed = outline.failed.length;
  return (
    <div className={`row wrap flex-none small border-bottom ${classes.bar}`}>
      {children}
      <LineCount store={store} />
      <output className={`weight-500 color-warning ${classes.lost}`}>
        {lost && t('log.lost')}
      </output>
      <LogSearchBox {...search} input={input} />
      <GoToLine store={store} address={address} />
      {failed > 0 && <Failures outline={outline} address={address} />}
      {outline.sections.length > 0 && (
        <span className={`row ${classes.group}`}>
          <Tool
            label={folded.size > 0 ? t('log.unfold_all') : t('log.fold_all')}
            onClick={() => foldAll(folded.size === 0)}
          >
            {folded.size > 0 ? <IconFoldDown size={17} /> : <IconFold size={17} />}
          </Tool>
          <Tool
            label={
              failed > 0 ? t('log.outline.open_failed', { count: failed }) : t('log.outline.open')
            }
            isPressed={withOutline}
            onClick={() => setWithOutline(!withOutline)}
          >
            <IconListTree size={17} />
            {failed > 0 && (
              <span className={`smallest weight-650 color-danger ${classes.failed}`}>{failed}</span>
            )}
          </Tool>
        </span>
      )}
      <span className={`row ${classes.group}`}>
        <Choice label={t('log.wrap')} choice={choices.wrap} icon={<IconTextWrap size={17} />} />
        <Choice label={t('log.times')} choice={choices.times} icon={<IconClock size={17} />} />
      </span>
    </div>
  );
}

function Failures({ outline, address }: { outline: Outline; address: LineAddress }) {
  const group = useRef<HTMLSpanElement>(null);
  const step = (by: 1 | -1) => {
    const line = failureBeside(outline, address.marked?.from ?? 0, by);
    if (line !== undefined) address.mark({ from: line, to: line });
  };
  const onKey = useEffectEvent(step);
  useEffect(() => {
    if (!group.current) return undefined;
    return listenInDialog(group.current, { n: () => onKey(1), p: () => onKey(-1) });
  }, []);
  return (
    <span className={`row ${classes.group}`} ref={group} data-failures>
      <Tool label={`${t('log.previous_failure')} (p)`} shortcut="p" onClick={() => step(-1)}>
        <IconArrowUp size={17} />
      </Tool>
      <Tool label={`${t('log.next_failure')} (n)`} shortcut="n" onClick={() => step(1)}>
        <IconArrowDown size={17} />
      </Tool>
    </span>
  );
}

interface ChoiceProps {
  label: string;
  icon: ReactNode;
  choice: Choice;
}

/** A toggle for the display of lines; its label is visible where the bar is wide enough. */
function Choice({ label, icon, choice: [value, set] }: ChoiceProps) {
  return (
    <Tool label={label} isPressed={value} onClick={() => set(!value)}>
      {icon}
      <span className={`small weight-500 ${classes.word}`}>{label}</span>
    </Tool>
  );
}

interface ToolProps {
  label: string;
  isPressed?: boolean;
  shortcut?: string;
  onClick: () => void;
  children: ReactNode;
}

function Tool({ label, isPressed, shortcut, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isPressed ? 'light' : 'subtle'}
        w="auto"
        px={5}
        aria-label={label}
        aria-pressed={isPressed}
        data-shortcut={shortcut}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

function LineCount({ store }: Pick<Props, 'store'>) {
  useLogChanges(store);
  const count = store.total();
  return (
    <span className={`soft numbers nowrap ${classes.lines}`}>{t('log.lines', { count })}</span>
  );
}

function GoToLine({ store, address: { mark } }: Pick<Props, 'store' | 'address'>) {
  const [line, setLine] = useState('');
  const go = () => {
    const number = Math.min(store.total(), Number(line));
    if (number < 1) return;
    setLine('');
    mark({ from: number, to: number });
  };
  return (
    <TextInput
      className={classes.goTo ?? ''}
      size="xs"
      inputMode="numeric"
      maxLength={9}
      aria-label={t('log.go_to_line')}
      placeholder={t('log.go_to_line')}
      value={line}
      onChange={(event) => setLine(event.currentTarget.value.replace(/\D/g, ''))}
      onKeyDown={(event) => {
        if (event.key === 'Enter') go();
        else if (event.key === 'Escape') setLine('');
      }}
      // Escape clears the number first; a second Escape closes the dialog.
      data-mantine-stop-propagation={line !== ''}
    />
  );
}

const typingPause = 250;

interface LogSearchBoxProps {
  finder: LogFinder;
  found: LogMatches;
  input: RefObject<HTMLInputElement | null>;
}

function LogSearchBox({ finder, found, input }: LogSearchBoxProps) {
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
    <search className={`row gap-4 ${logSearchBoxClasses.box}`} aria-label={t('log.search.label')}>
      <TextInput
        ref={input}
        className={`grow ${logSearchBoxClasses.input}`}
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
      <output className={`soft numbers nowrap text-end ${logSearchBoxClasses.count}`}>
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

function Count({
  found: { text, at, total, isExact, busy, failure },
}: Pick<LogSearchBoxProps, 'found'>) {
  if (failure !== null) return errorWords(failure);
  if (text === '') return null;
  if (at < 0) return t(busy ? 'log.search.busy' : 'log.search.none');
  return t(isExact ? 'log.search.place' : 'log.search.place_of_more', { at: at + 1, total });
}
