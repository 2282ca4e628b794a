// Looks up the system users that run the programs of tasks.

import { readFileSync } from 'node:fs';

export interface RunUser {
  name: string;
  uid: number;
  gid: number;
  /** The home in /etc/passwd, which Ansible uses on this machine whatever HOME is. */
  home: string;
}

const entry = /^[a-z_][\w-]*(?:\[(\d{1,4})-(\d{1,4})\])?$/;
const MAX_USERS = 1000;

export const isUserList = (text: string): boolean => {
  const entries = text.split(',').map((one) => one.trim());
  return entries.every((one) => entry.test(one)) && entries.flatMap(expand).length <= MAX_USERS;
};

/** `run[1-3]` are three names. */
function expand(text: string): string[] {
  const [, first, last] = entry.exec(text) ?? [];
  if (first === undefined || last === undefined) return [text];
  const count = Math.max(0, Number(last) - Number(first) + 1);
  const prefix = text.slice(0, text.indexOf('['));
  return Array.from({ length: count }, (_, index) => `${prefix}${Number(first) + index}`);
}

/** Throws an error for administrators if a user does not exist or cannot be used. */
export function findRunUsers(list: string): RunUser[] {
  if (list === '') return [];
  const known = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const names = list.split(',').flatMap((one) => expand(one.trim()));
  const users = names.map((name) => {
    const [, , uid, gid, , home = ''] = known.find(([login]) => login === name) ?? [];
    if (uid === undefined || gid === undefined) {
      throw new Error(
        `there is no user "${name}" in /etc/passwd. Make it: useradd --system --user-group --create-home ${name}`,
      );
    }
    return { name, uid: Number(uid), gid: Number(gid), home };
  });
  check(users);
  return users;
}

/** On nearly all systems, larger ids are those of people. */
const lastSystemUser = 999;

function check(users: RunUser[]): void {
  const own = process.getuid?.();
  const bad = users.find(({ uid, gid }) => uid === 0 || gid === 0 || uid === own);
  if (bad) {
    throw new Error(`"${bad.name}" is root, in its group, or the user of the server itself.`);
  }
  // After each task all processes and files of its user are removed, also in its home.
  const person = isPool(users) ? users.find(({ uid }) => uid > lastSystemUser) : undefined;
  if (person) {
    throw new Error(
      `"${person.name}" may be a person. Several users must all be made for tasks: useradd --system.`,
    );
  }
  for (const id of ['uid', 'gid'] as const) {
    // Users with the same group could read each other's files.
    if (new Set(users.map((user) => user[id])).size !== users.length) {
      throw new Error(`each user must have a ${id} of its own.`);
    }
  }
}

/** A single user runs all tasks. Of several, the last one runs inspections, and each other one a task at a time. */
export const taskUsers = (users: RunUser[]): RunUser[] =>
  users.length > 1 ? users.slice(0, -1) : users;

/** Whether no two tasks share a user. */
export const isPool = (users: RunUser[]): boolean => users.length > 1;

/** The limit of parallel tasks with these users; 0: no limit. */
export function tasksAtOnce(limit: number, users: RunUser[]): number {
  if (!isPool(users)) return limit;
  const { length } = taskUsers(users);
  return limit === 0 ? length : Math.min(limit, length);
}
