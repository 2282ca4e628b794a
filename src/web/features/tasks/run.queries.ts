import { pathOf } from '#shared/api/path.ts';
import { tasks, type Task } from '#shared/api/tasks.ts';
import { query, send } from '../../lib/query.ts';

type TaskRef = Pick<Task, 'project_id' | 'id'>;
const paramsOf = ({ project_id, id }: TaskRef) => ({ project_id, task_id: id });

export const runQueries = {
  hosts: (task: TaskRef) => query(tasks.hosts, { params: paramsOf(task) }),
  playTasks: (task: TaskRef) => query(tasks.playTasks, { params: paramsOf(task) }),
  failures: (task: TaskRef) => query(tasks.failures, { params: paramsOf(task) }),
  lastLines: (task: TaskRef & Pick<Task, 'log_lines'>, limit: number) =>
    query(tasks.text, {
      params: paramsOf(task),
      query: { from: Math.max(1, task.log_lines - limit + 1), limit },
    }),
};

/** The download address of the table of all hosts. */
export const hostTable = (task: TaskRef): string =>
  pathOf(tasks.hostTable, { params: paramsOf(task) });

export const runAgain = () =>
  send(tasks.runAgain, { refresh: [tasks.list, tasks.count, tasks.lastOfTemplate] });
