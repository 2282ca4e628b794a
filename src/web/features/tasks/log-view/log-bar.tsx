import { ActionIcon, Switch, TextInput } from '@mantine/core';
import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { IconFold, IconFoldDown, IconListTree } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { Tooltip } from '../../../ui/feedback/tooltip.tsx';
import type { LineAddress } from '../log/line-address.ts';
import classes from './log-bar.module.css';
import { LogSearchBox } from './log-search-box.tsx';
import type { LogStore } from '../log/log-store.ts';
import type { Folding } from '../outline/use-folding.ts';
import { useLogChanges } from '../log/use-task-log.ts';
import type { LogSearch } from '../log/use-log-finder.ts';

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
}

/** The tools above the log: search, go to a line, fold, and display options. */
export function LogBar({ store, lost, search, input, address, folding, ...choices }: Props) {
  const { t } = useTranslation();
  const { outline, folded, foldAll } = folding;
  const [withOutline, setWithOutline] = choices.outline;
  const failed = outline.failed.length;
  return (
    <div className={classes.bar}>
      <LineCount store={store} />
      <output className={classes.lost}>{lost && t('log.lost')}</output>
      <LogSearchBox {...search} input={input} />
      <GoToLine store={store} address={address} />
      {outline.sections.length > 0 && (
        <span className={classes.group}>
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
            {failed > 0 && <span className={classes.failed}>{failed}</span>}
          </Tool>
        </span>
      )}
      <span className={classes.group}>
        <Choice label={t('log.wrap')} choice={choices.wrap} />
        <Choice label={t('log.times')} choice={choices.times} />
      </span>
    </div>
  );
}

function Choice({ label, choice: [value, set] }: { label: string; choice: Choice }) {
  return (
    <Switch
      size="xs"
      label={label}
      checked={value}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  );
}

interface ToolProps {
  label: string;
  isPressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Tool({ label, isPressed, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isPressed ? 'light' : 'subtle'}
        w="auto"
        px={5}
        aria-label={label}
        aria-pressed={isPressed}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

function LineCount({ store }: Pick<Props, 'store'>) {
  const { t } = useTranslation();
  useLogChanges(store);
  const count = store.total();
  return <span className={`soft numbers ${classes.lines}`}>{t('log.lines', { count })}</span>;
}

function GoToLine({ store, address: { mark } }: Pick<Props, 'store' | 'address'>) {
  const { t } = useTranslation();
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
