import { t } from '../../../lib/i18n.ts';
import classes from './task-commands.module.css';

export function TaskCommands({ commands }: { commands: string[] }) {
  if (commands.length === 0) return null;
  return (
    <details className={`flex-none max-w-full ${classes.commands}`}>
      <summary className="soft" style={{ width: 'fit-content' }}>
        {t('task.commands', { count: commands.length })}
      </summary>
      <ol className="grid gap-6 overflow-auto" style={{ maxHeight: '30vh', padding: '8px 0 4px' }}>
        {commands.map((command) => (
          <li key={command}>
            <code className="break pre-wrap">{command}</code>
          </li>
        ))}
      </ol>
    </details>
  );
}
