import { Link } from '@tanstack/react-router';
import type { Task } from '#shared/api/tasks.ts';
import { TemplateLink } from '../../resources/links.tsx';
import { noRunSearch } from './run-search.ts';

export function TaskLink({ id, words = `#${id}` }: { id: number; words?: string }) {
  return (
    <Link
      to="."
      search={(search) => ({ ...search, ...noRunSearch, t: id })}
      resetScroll={false}
      className="numbers"
    >
      {words}
    </Link>
  );
}

export function TaskTemplateLink({ task }: { task: Task }) {
  const { project_id: projectId, template_id: templateId, tpl_alias: name } = task;
  return <TemplateLink projectId={projectId} templateId={templateId} name={name} className="cut" />;
}

/** The version of a build, or of the build that a deploy deploys; null if there is none. */
export function taskVersion(task: Task): string | null {
  return task.version ?? task.build_task?.version ?? null;
}

export function TaskVersion({ task }: { task: Task }) {
  const version = taskVersion(task);
  if (!task.build_task) return version ?? '—';
  return <TaskLink id={task.build_task.id} {...(version === null ? {} : { words: version })} />;
}
