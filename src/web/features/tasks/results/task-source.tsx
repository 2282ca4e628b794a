import { IconExternalLink } from '@tabler/icons-react';
import type { PlayTask, ShownFailure } from '#shared/api/run-results.ts';
import classes from './run-table.module.css';

type InFile = Pick<PlayTask | ShownFailure, 'path' | 'file_line' | 'file_url'>;

/** The file and line of a task, linked to the repository's host if the URL is known. */
export function FileLine({ task: { path, file_line: line, file_url: url } }: { task: InFile }) {
  if (path === null) return null;
  const words = line === null ? path : `${path}:${line}`;
  if (url === null) {
    return (
      <span className={`min-w-0 smaller cut ${classes.source}`} title={words}>
        {words}
      </span>
    );
  }
  return (
    <a
      className={`min-w-0 smaller cut ${classes.source}`}
      href={url}
      target="_blank"
      rel="noreferrer"
      title={words}
    >
      {words} <IconExternalLink size={12} aria-hidden="true" />
    </a>
  );
}

export function TaskSource({ task }: { task: PlayTask }) {
  return (
    <span className={`flex baseline gap-8 min-w-0 ${classes.what}`}>
      <ModuleName task={task} />
      <FileLine task={task} />
    </span>
  );
}

export function ModuleName({ task: { role, module } }: { task: PlayTask }) {
  const words = [role, module].filter(Boolean).join(' · ');
  if (!words) return null;
  return (
    <span className={`min-w-0 smaller soft cut ${classes.module}`} title={words}>
      {words}
    </span>
  );
}
