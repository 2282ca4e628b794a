import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import classes from './pager.module.css';

interface Props {
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
}

export function Pager({ page, pageSize, total, onPage }: Props) {
  const pages = Math.ceil(total / pageSize);
  if (pages <= 1) return null;
  const from = (page - 1) * pageSize + 1;
  return (
    <nav className={`row wrap justify-end gap-8 ${classes.pager}`} aria-label={t('pager.label')}>
      <span className="soft numbers">
        {t('pager.range', { from, to: Math.min(total, page * pageSize), total })}
      </span>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconChevronLeft size={16} />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        {t('pager.previous')}
      </Button>
      <Button
        variant="default"
        size="compact-md"
        rightSection={<IconChevronRight size={16} />}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        {t('pager.next')}
      </Button>
    </nav>
  );
}
