import { Button, CloseButton } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import { IconCopy, IconLink } from '@tabler/icons-react';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { request } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { copy } from '../../../ui/buttons/copy.tsx';
import type { LineAddress, Lines } from '../log/line-address.ts';
import classes from './marked-lines.module.css';

/** More lines have to be downloaded. */
const MAX_COPIED_LINES = 5000;

interface Props {
  task: Task;
  address: LineAddress;
}

export function MarkedLines({ task, address: { marked, mark } }: Props) {
  if (!marked) return null;
  const { from, to } = marked;
  const copyLink = () => copy(location.href, t('task.link_copied'));
  const copyLines = () => copy(readLines(task, marked), t('log.copied', { count: to - from + 1 }));
  return (
    <section
      className={`row wrap gap-4 small bg-raised border rounded-8 shadow absolute ${classes.marked}`}
      aria-label={t('log.marked')}
    >
      <span className="numbers">
        {from === to ? t('log.line', { number: from }) : t('log.line_range', { from, to })}
      </span>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconLink size={15} />}
        onClick={() => void copyLink()}
      >
        {t('task.copy_link')}
      </Button>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconCopy size={15} />}
        onClick={() => void copyLines()}
      >
        {t('log.copy_text')}
      </Button>
      <CloseButton size="sm" aria-label={t('log.unmark')} onClick={() => mark(null)} />
    </section>
  );
}

/** The whole text of lines, without colours. */
async function readLines({ project_id, id }: Task, { from, to }: Lines): Promise<string> {
  const params = { project_id, task_id: id };
  const limit = Math.min(MAX_COPIED_LINES, to - from + 1);
  const text = await request(tasks.text, { params, query: { from, limit } });
  return text.replace(/\n$/, '');
}
