// The ssh programs of a run: each adds the ssh configuration of the run with the pinned host keys. They come first in
// PATH and occupy no option of Ansible, so that jump hosts of ansible.cfg, inventory and environment work, and ssh
// that ssh (ProxyCommand) or a module starts has the same configuration.

import { chmod, mkdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quoted } from '../programs/shell.ts';
import { allSettledOrThrow } from '../../node/async/all-settled-or-throw.ts';
import { makeProgram } from '../workspace/credentials.ts';
import { writeSshConfig } from './git-access.ts';
import { givenVariables, type Preparation } from './prepare.ts';

const source = fileURLToPath(new URL('./ssh-programs.sh', import.meta.url));
const names = ['ssh', 'scp', 'sftp'];

/** Writes the programs into the folder of the run; returns the PATH with this folder first. */
export async function installSshPrograms(preparation: Preparation): Promise<{ PATH: string }> {
  const { workspace, execution } = preparation;
  const folder = join(workspace.dir, 'bin');
  const [config, script] = await allSettledOrThrow([
    writeSshConfig(preparation, 'hosts', { login: '', mayAsk: true }),
    readFile(source, 'utf8'),
    mkdir(folder, { recursive: true, mode: 0o700 }),
  ]);
  const search = givenVariables(preparation)['PATH'] || execution.path;
  const given = { search, config, joined: join(workspace.home, '.ssh-config-') };
  const set = Object.entries(given).map(([name, value]) => `${name}=${quoted(value)}\n`);
  // Copies, because the user of the run may not be able to read the folder of the installation.
  const text = `#!/bin/sh\n${set.join('')}${script}`;
  await allSettledOrThrow(names.map((name) => makeProgram(workspace, join('bin', name), text)));
  if (workspace.user) await chmod(folder, 0o755);
  return { PATH: `${folder}${delimiter}${search}` };
}
