import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realPrograms } from '../../../test/helpers/programs.ts';
import { folder } from '../../../test/helpers/seed.ts';
import { galaxySettings, pathsOf, readConfiguration, settingOf } from './ansible-settings.ts';

const text = `
[inventory]
inventory = of another section
[defaults]
; nocolor = 1
#fact_caching = jsonfile
ROLES_PATH: roles:~/more
inventory = hosts;one,
    hosts/two   ; a comment
local_tmp = /tmp/x ;y
callback_plugins =
[galaxy]
server_list = mine
[galaxy_server.mine]
url = https://galaxy.example.com
`;

test('reads an ansible.cfg as Ansible does', async () => {
  const place = await folder();
  const read = readConfiguration(text, place);
  const defaultOf = (name: string) => settingOf(read, 'defaults', name);
  expect(['inventory', 'local_tmp', 'nocolor', 'fact_caching'].map(defaultOf)).toEqual([
    'hosts;one,\nhosts/two',
    '/tmp/x',
    null,
    null,
  ]);
  expect(pathsOf(read, 'no', 'roles_path')).toBe(`${place}/roles:~/more`);
  expect([defaultOf('callback_plugins'), pathsOf(read, 'callback_plugins')]).toEqual([null, null]);
  expect(galaxySettings(read)).toContain('https://galaxy.example.com');
  await writeFile(join(place, 'ansible.cfg'), text.replace('callback_plugins =\n', ''));
  const env = { PATH: realPrograms, HOME: place, LANG: 'C.UTF-8' };
  const dump = execFileSync('ansible-config', ['dump', '--only-changed'], {
    cwd: place,
    env,
    encoding: 'utf8',
  });
  expect(dump).toContain(`DEFAULT_HOST_LIST(${place}/ansible.cfg) = ['${place}/hosts;one', `);
  expect(dump).toContain(`['${place}/roles', '${place}/more']`);
  expect(dump).toMatch(/DEFAULT_LOCAL_TMP\(\S+\) = \/tmp\/x\//);
  expect(dump).not.toMatch(/of another section|NOCOLOR|CACHE_PLUGIN/);
});

test('reads nothing of a file that is none', () => {
  const read = readConfiguration('[defaults\nno value\n  more\n= x\n[a]\n[a]b]\nc', '/x');
  expect(settingOf(read, 'defaults', 'inventory')).toBe(null);
});
