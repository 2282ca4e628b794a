// The sandboxed program that parses untrusted content: files of a checkout, as the user of the task, and texts. Reads
// one command from standard input and prints the result. It is killed when it exceeds limits of time or memory.

import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readInventory } from './inventory-list.ts';
import { readInside } from './inside.ts';
import type {
  SandboxResults,
  BackendResult,
  FileResult,
  FilePlace,
  SandboxCommand,
} from './commands.ts';
import { readPlan } from './terraform-plan.ts';
import { readBackend, readState, unknownState, type StateContent } from './terraform-files.ts';

const MAX_STATE_BYTES = 256 * 1024 * 1024;

const command = JSON.parse(readFileSync(0, 'utf8')) as SandboxCommand;
const isRequirements = command.about === 'files' && command.files.some(({ as }) => as !== 'text');
// Loaded before the user is changed, who may not be able to read the installation.
const requirements = isRequirements ? await import('./requirements-file.ts') : null;

if (command.user && process.setgroups && process.setgid && process.setuid) {
  process.setgroups([]);
  process.setgid(command.user.gid);
  process.setuid(command.user.uid);
}
process.stdout.write(JSON.stringify(execute(command)));

function execute(asked: SandboxCommand): SandboxResults[SandboxCommand['about']] {
  switch (asked.about) {
    case 'files':
      return asked.files.map(readOne);
    case 'backend':
      return readNote(asked.file);
    case 'states':
      return asked.files.map(readOneState);
    case 'inventory':
      return readInventory(asked.text);
    case 'plan':
      return readPlan(asked.text);
    case 'key':
      return isKey(asked);
  }
}

function isKey({ text: key, passphrase }: Extract<SandboxCommand, { about: 'key' }>): boolean {
  try {
    createPrivateKey({ key, passphrase });
    return true;
  } catch {
    return false;
  }
}

type RequestedFile = Extract<SandboxCommand, { about: 'files' }>['files'][number];

function readOne({ root, path, as }: RequestedFile): FileResult {
  const read = readInside(root, path);
  if (read === null || 'refused' in read) return read;
  const found = as === 'requirements' ? requirements?.readRequirements(read.text) : undefined;
  return { text: read.text, asksFor: [], localSources: null, ...found };
}

function readNote({ root, path }: FilePlace): BackendResult {
  const read = readInside(root, path);
  if (read === null) return { backend: null };
  if ('refused' in read) return read;
  try {
    return { backend: readBackend(read.text) };
  } catch {
    return { refused: 'it is not valid JSON' };
  }
}

function readOneState({ root, path }: FilePlace): StateContent {
  const read = readInside(root, path, MAX_STATE_BYTES);
  if (read === null) return { is: 'absent' };
  // Unreadable states count as states with objects, so that nothing replaces them.
  return 'refused' in read ? unknownState : readState(read.text);
}
