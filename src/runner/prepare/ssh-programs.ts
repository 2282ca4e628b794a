// The programs of ssh as a run finds them: each brings the ssh configuration of the run, with the
// pinned host keys. They come first in PATH and take no option away from Ansible, so that jump
// hosts work from ansible.cfg, from the inventory and from the environment, and ssh started by ssh
// (ProxyCommand) or by a module has the same configuration.

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

/** Puts the programs into the folder of the run; returns the PATH that finds them. */
export async function installSshPrograms(preparation: Preparation): Promise<{ PATH: string }> {
  const { ctx, workspace } = preparation;
  const folder = join(workspace.dir, 'bin');
  const [config, script] = await allSettledOrThrow([
    writeSshConfig(preparation, 'hosts', { login: '', mayAsk: true }),
    readFile(source, 'utf8'),
    mkdir(folder, { recursive: true, mode: 0o700 }),
  ]);
  const search = givenVariables(preparation)['PATH'] || ctx.config.path;
  const given = { search, config, joined: join(workspace.home, '.ssh-config-') };
  const set = Object.entries(given).map(([name, value]) => `${name}=${quoted(value)}\n`);
  // Copies: the user of the run may not be let to where we are installed.
  const text = `#!/bin/sh\n${set.join('')}${script}`;
  await allSettledOrThrow(names.map((name) => makeProgram(workspace, join('bin', name), text)));
  if (workspace.user) await chmod(folder, 0o755);
  return { PATH: `${folder}${delimiter}${search}` };
}
