// Checks the image and the systemd unit by reading them: install.md of the guide says what the unit does,
// and `npm run test:image` builds and runs the image.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseEnvironment } from '../../src/server/config/environment-files.ts';

const read = (name: string): Promise<string> => readFile(`deploy/${name}`, 'utf8');

test('gate 13: the image holds no key, no password and no more than it needs', async () => {
  const [text, ignored] = await Promise.all([read('Dockerfile'), read('Dockerfile.dockerignore')]);
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  expect(lines.join('\n')).not.toMatch(/MASTER_KEY|PASSWORD|PRIVATE KEY|openssl rand|ssh-keygen/);
  expect(lines.join('\n')).not.toMatch(/openssh-server|rsync|chmod\s+(-R\s+)?[0-7]*[2367][2367]\b/);
  // The build receives only the named files: no data folder, no settings.
  expect(ignored.split('\n')[0]).toBe('*');
  expect(ignored).not.toMatch(/^!(?:data|\.env|\.git)/m);
});

test('the image has the version of the package, a licence, and one place for certificates', async () => {
  const [text, ignored, { version, license }] = await Promise.all([
    read('Dockerfile'),
    read('Dockerfile.dockerignore'),
    readFile('package.json', 'utf8').then((json) => JSON.parse(json) as Record<string, string>),
  ]);
  expect(text).toContain(`\nARG VERSION=${version}\n`);
  expect(text).toContain(`org.opencontainers.image.licenses="${license}"`);
  expect(text.match(/^COPY deploy\/certificates /gm)).toHaveLength(2);
  expect(ignored).toMatch(/^!deploy\/certificates$/m);
  // Certificates are of one company, not of the product.
  expect(await readFile('.gitignore', 'utf8')).toContain('\ndeploy/certificates/*.crt\n');
  // Both bases can be replaced, and nothing else is taken from elsewhere.
  expect([...text.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)).toEqual([
    '${BUILD_BASE}',
    '${BASE}',
  ]);
});

test('all files start the same PostgreSQL, whose programs are in the Debian of the image', async () => {
  const files = ['compose-postgres.yaml', 'compose-cluster.yaml', 'kubernetes/postgresql.yaml'];
  const texts = await Promise.all(files.map(read));
  const named = texts.map((text) => /image: (postgres:\d+)$/m.exec(text)?.[1]);
  expect(named).toEqual(files.map(() => 'postgres:17'));
  // Debian 13 has the programs of PostgreSQL 17.
  expect(await read('Dockerfile')).toContain('\nARG BASE=debian:trixie-slim\n');
});

test('gate 13: image and unit run tasks as users of their own, and make them', async () => {
  const [image, unit, users, settings] = await Promise.all(
    ['Dockerfile', 'signalbox.service', 'signalbox.sysusers', 'service.env'].map(read),
  );
  expect(image).toMatch(/SIGNALBOX_RUN_AS=run\[1-9\]/);
  expect(image).toMatch(/for n in 1 2 3 4 5 6 7 8 9; do\s+\\\s+useradd --system --user-group/);
  expect(unit).toMatch(/^EnvironmentFile=\/opt\/signalbox\/deploy\/service\.env$/m);
  expect(parseEnvironment(settings ?? '')).toEqual({
    SIGNALBOX_DATA_DIR: '/var/lib/signalbox',
    SIGNALBOX_RUN_AS: 'signalbox-run[1-9]',
    SIGNALBOX_FIRST_PASSWORD_FILE: '/var/lib/signalbox/first-password',
  });
  const made = [...(users ?? '').matchAll(/^u (signalbox-run\d) /gm)].map(([, name]) => name);
  expect(made).toEqual(Array.from({ length: 9 }, (_, index) => `signalbox-run${index + 1}`));
});

test('gate 13: the unit leaves root only what starting tasks needs, and tasks go on without it', async () => {
  const unit = await read('signalbox.service');
  const [, given = ''] = /^CapabilityBoundingSet=(.*)$/m.exec(unit) ?? [];
  expect(new Set(given.split(' '))).toEqual(
    new Set(
      ['SETUID', 'SETGID', 'CHOWN', 'FOWNER', 'DAC_OVERRIDE', 'KILL', 'SETPCAP'].map(
        (name) => `CAP_${name}`,
      ),
    ),
  );
  for (const line of [
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'ProtectHome=yes',
    'PrivateTmp=yes',
    'UMask=0077',
    'KillMode=process',
    'Delegate=yes',
    'SystemCallFilter=@system-service',
    'SystemCallErrorNumber=EPERM',
    'PrivateDevices=yes',
    'ProtectProc=invisible',
    'ReadWritePaths=/var/lib/signalbox /var/lib/signalbox-run /dev/shm',
    'LimitCORE=0',
    'OOMPolicy=continue',
  ]) {
    expect(unit.split('\n')).toContain(line);
  }
});

test('gate 13: the Debian package keeps its settings from everybody but root', async () => {
  const names = ['postinst', 'prerm', 'postrm', 'environment', 'signalbox'];
  const [postinst = '', prerm = '', postrm = '', settings = '', command = ''] = await Promise.all(
    names.map((name) => read(`debian/${name}`)),
  );
  // No setting is an argument of a program, and no password is printed.
  expect(postinst + prerm + postrm + command).not.toMatch(/PASSWORD=|MASTER_KEY|user add/);
  expect(parseEnvironment(settings)).toEqual({});
  // Data is removed by a purge only.
  const [before = '', purge = ''] = postrm.split('if [ "$1" = purge ]');
  expect([before.includes('rm -r'), purge.includes('rm -rf /var/lib/signalbox ')]).toEqual([
    false,
    true,
  ]);
});
