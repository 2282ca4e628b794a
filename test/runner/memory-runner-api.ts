// The runner API of a server in memory.

import type { RunnerTask } from '#shared/api/runner-api.ts';
import type { RunnerApi, HeldTask, NewLines } from '../../src/runner/api/runner-api.ts';
import type { OpenKey, RunKeys } from '../../src/runner/api/run-secrets.ts';
import { mirrorName } from '../../src/runner/git/mirror-name.ts';
import type { MemoryStore, StoredTask } from './memory-store.ts';

const longestCommitMessage = 100;
const longestName = 250;

export function createMemoryRunnerApi(store: MemoryStore): RunnerApi {
  const held = ({ id, lease }: HeldTask): StoredTask => {
    const task = store.find(id);
    if (task.lease !== lease) throw new Error('The task belongs to another runner by now.');
    return task;
  };
  const note = (task: HeldTask, change: Partial<StoredTask>): void =>
    store.change(held(task), change);
  const now = (): string => new Date().toISOString();
  return {
    openKeys: async ({ id }) => openKeys(store, store.find(id)),
    async recordKeys({ snapshot }) {
      for (const id of keysOf(snapshot)) if (id !== null) store.usedKeys.add(id);
    },
    async park(task, why) {
      return store.move(held(task), 'waiting_confirmation', { confirmationReason: why });
    },
    async end(task, { to, exitCode, failure }) {
      const stored = held(task);
      const change = { end: now(), secret: {} };
      if (store.move(stored, to, { ...change, exitCode, failure })) return true;
      return stored.status === 'stopping' && store.move(stored, 'stopped', change);
    },
    async beginStep(task, { log, ...step }) {
      const stored = held(task);
      if (log) storeLines(store, stored, log);
      if (stored.status !== 'running' && !store.move(stored, 'running')) return false;
      note(task, { ...step, spool_offset: 0 });
      return true;
    },
    async recordCommit(task, { hash, message }) {
      note(task, { commit_hash: hash, commitMessage: message.slice(0, longestCommitMessage) });
    },
    recordTools: async (task, tools) => note(task, { tools }),
    async assignVersion(task) {
      const { type, startVersion } = task.snapshot;
      const version = task.version ?? (type === 'build' ? startVersion : null);
      note(task, { version });
      return version;
    },
    recordProgress: async (task, progress, isDryRun) =>
      note(task, { progress, ...(isDryRun && { isDryRun }) }),
    async recordHosts(task, hosts) {
      const stored = held(task);
      for (const one of hosts) {
        const host = one.host.replaceAll('\0', '\uFFFD').slice(0, longestName);
        stored.hosts.set(host, { ...one, host });
      }
    },
    recordOutputs: async (task, outputs) => note(task, { outputs }),
    async recordFacts(task, hosts) {
      const stored = held(task);
      for (const { host, facts } of hosts) stored.facts.set(host, facts);
    },
    recordFailures: async (task, failures) => note(task, { failures }),
    async storeResults(task, from, results) {
      const stored = held(task);
      const known = stored.runResults.length - (from - 1);
      if (known < 0) return false;
      const runResults = [...stored.runResults, ...results.slice(known)];
      note(task, { runResults, results: runResults.length });
      return true;
    },
    async recordSections(task, sections) {
      const stored = held(task);
      const plain = (text: string): string => text.replaceAll('\0', '\uFFFD');
      for (const section of sections) {
        const { name, module, role, path } = section;
        const texts = { name: plain(name), module: plain(module), role: plain(role) };
        const change = { ...texts, path: path === null ? null : plain(path) };
        stored.sections.set(section.number, { ...section, ...change });
      }
    },
    recordPlan: async (task, plan) => note(task, { plan }),
    sendPartialLine: async (task, partial) =>
      note(task, { partials: [...held(task).partials, partial] }),
    storeLines: async (task, lines) => storeLines(store, held(task), lines),
    countLines: async (task) => held(task).lines.length,
    async filterExisting({ mirrors, projects, homes, states = [] }) {
      const kept = new Set(store.repositories.map(mirrorName));
      return {
        mirrors: mirrors.filter((name) => kept.has(name)),
        projects: projects.filter((id) => store.projects.has(id)),
        homes: homes.filter((id) => store.homeKeepers.has(id)),
        states: states.filter(({ project_id: id }) => store.projects.has(id)),
      };
    },
  };
}

const keysOf = ({ repository, inventoryRepository, inventory, vaults }: RunnerTask['snapshot']) => [
  repository.ssh_key_id,
  inventoryRepository?.ssh_key_id ?? null,
  inventory?.ssh_key_id ?? null,
  inventory?.become_key_id ?? null,
  ...vaults.map(({ keyId }) => keyId),
];

function openKeys(store: MemoryStore, { id, project_id, snapshot }: RunnerTask): RunKeys {
  const open = (key: number | null | undefined): OpenKey => {
    const found = key == null ? { type: 'none' as const } : store.keys.get(key);
    if (!found) throw new Error('This key does not exist in this project.');
    return found;
  };
  const [repository, inventoryRepository, user, become, ...vaults] = keysOf(snapshot);
  const none = { variables: {}, process: {} };
  return {
    repository: open(repository),
    inventoryRepository: open(inventoryRepository),
    registry: open(snapshot.executionEnvironment?.registry_key_id),
    byHost: store.byHost.get(project_id) ?? [],
    user: open(user),
    become: open(become),
    vaults: vaults.map(open),
    environment: store.secrets.get(snapshot.environment?.id ?? 0) ?? none,
    answers: store.find(id).secret,
  };
}

/** Lines that are stored already are passed over, as when a runner reads them again. */
function storeLines(store: MemoryStore, task: StoredTask, { from, lines, spoolOffset }: NewLines) {
  const known = task.lines.length - (from - 1);
  if (known < 0) throw new Error(`Lines are missing: only ${task.lines.length} are stored.`);
  // Spread over the arguments of one call, a million lines would be too many.
  for (const line of lines.slice(known)) {
    task.lines.push({ ...line, output: line.output.replaceAll('\0', '\uFFFD') });
  }
  store.change(task, { spool_offset: spoolOffset, log_lines: task.lines.length });
}
