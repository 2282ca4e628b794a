import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { isFarOn, newer, older, type Trail } from './cursors.ts';
import classes from './pager.module.css';

interface Props {
  trail: Trail;
  onTrail: (trail: Trail) => void;
  /** The cursor of the next page; null on the last page. */
  next: number | null;
  /** Whether the next page is loading: a second click would use the same cursor again. */
  isTurning?: boolean;
  total?: ReactNode;
}

/** Cursor pagination of a list with the newest rows first. */
export function CursorPager({ trail, onTrail, next, isTurning = false, total }: Props) {
  if (!trail && next === null)
    return (
      total && (
        <p className="numbers soft text-end" style={{ padding: '14px 0' }}>
          {total}
        </p>
      )
    );
  return (
    <nav className={`row wrap justify-end gap-8 ${classes.pager}`} aria-label={t('pager.label')}>
      {total && <span className="soft numbers">{total}</span>}
      {isFarOn(trail) && (
        <Button variant="subtle" size="compact-md" onClick={() => onTrail(undefined)}>
          {t('pager.newest')}
        </Button>
      )}
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconChevronLeft size={16} />}
        disabled={!trail}
        onClick={() => onTrail(newer(trail))}
      >
        {t('pager.newer')}
      </Button>
      <Button
        variant="default"
        size="compact-md"
        rightSection={<IconChevronRight size={16} />}
        disabled={next === null}
        // A natively disabled button would lose the focus between two pages.
        data-disabled={isTurning}
        aria-disabled={isTurning}
        onClick={() => next !== null && !isTurning && onTrail(older(trail, next))}
      >
        {t('pager.older')}
      </Button>
    </nav>
  );
}
