import { useTranslation } from '../../../lib/i18n.ts';
import classes from './task-commands.module.css';

/** The commands of the task as people would type them. */
export function TaskCommands({ commands }: { commands: string[] }) {
  const { t } = useTranslation();
  if (commands.length === 0) return null;
  return (
    <details className={classes.commands}>
      <summary>{t('task.commands', { count: commands.length })}</summary>
      <ol>
        {commands.map((command) => (
          <li key={command}>
            <code>{command}</code>
          </li>
        ))}
      </ol>
    </details>
  );
}
