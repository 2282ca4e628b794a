import { CloseButton } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import { IconAlertCircle, IconPlayerPlay } from '@tabler/icons-react';
import type { MouseEvent, ReactNode } from 'react';
import { t } from '../../../lib/i18n.ts';
import type { LineAddress } from '../log/line-address.ts';
import classes from './log-outline.module.css';
import type { Outline, Section } from './outline.ts';
import { SectionCounts } from './section-counts.tsx';

const MAX_SHOWN = 200;

interface Props {
  outline: Outline;
  address: LineAddress;
  onClose: () => void;
}

/** The failed tasks and the plays, each linked to its line. */
export function LogOutline({ outline, address, onClose }: Props) {
  const { failed, plays, isComplete } = outline;
  return (
    <nav
      className={`flex-none small bg-surface ${classes.outline}`}
      aria-label={t('log.outline.label')}
    >
      <div className={`row between gap-8 ${classes.head}`}>
        <h3 className="smaller weight-600 soft">
          {failed.length > 0
            ? t('log.outline.failed_tasks', { count: failed.length })
            : t('log.outline.none_failed')}
        </h3>
        <CloseButton size="sm" aria-label={t('log.outline.close')} onClick={onClose} />
      </div>
      <Sections sections={failed} address={address} icon={<IconAlertCircle size={15} />} isBad />
      <h3 className={`row smaller weight-600 soft ${classes.head}`} style={{ marginTop: 8 }}>
        {t('log.outline.plays', { count: plays.length })}
      </h3>
      <Sections sections={plays} address={address} icon={<IconPlayerPlay size={15} />} />
      {!isComplete && (
        <p className="soft" style={{ padding: '2px 16px' }}>
          {t('log.outline.incomplete')}
        </p>
      )}
    </nav>
  );
}

interface SectionsProps extends Pick<Props, 'address'> {
  sections: readonly Section[];
  icon: ReactNode;
  isBad?: boolean;
}

function Sections({ sections, address, icon, isBad = false }: SectionsProps) {
  const { prefix, mark } = address;
  const go = (event: MouseEvent, line: number) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    mark({ from: line, to: line });
  };
  const rest = sections.length - MAX_SHOWN;
  return (
    <ul>
      {sections.slice(0, MAX_SHOWN).map((section) => (
        <li key={section.key}>
          <a
            className={`grid color-text hover no-underline focus-inside ${classes.entry}`}
            href={prefix + section.line}
            onClick={(event) => go(event, section.line)}
          >
            <span
              className={isBad ? 'color-danger' : 'soft'}
              style={{ paddingTop: 2, lineHeight: 0 }}
              aria-hidden="true"
            >
              {icon}
            </span>
            <span className="break two-lines" title={section.name}>
              {section.name || t('log.outline.unnamed')}
            </span>
            <span className="flex wrap smallest" style={{ gridColumn: 2, gap: '0 10px' }}>
              <SectionCounts section={section} />
            </span>
          </a>
        </li>
      ))}
      {rest > 0 && (
        <li className="soft" style={{ padding: '2px 16px' }}>
          {t('log.outline.more', { count: rest })}
        </li>
      )}
    </ul>
  );
}
