// Checks the image and the systemd unit by reading them, since tests can start neither.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

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

test('gate 13: image and unit run tasks as users of their own, and make them', async () => {
  const [image, unit, users] = await Promise.all(
    ['Dockerfile', 'signalbox.service', 'signalbox.sysusers'].map(read),
  );
  expect(image).toMatch(/SIGNALBOX_RUN_AS=run\[1-9\]/);
  expect(image).toMatch(/for n in 1 2 3 4 5 6 7 8 9; do\s+\\\s+useradd --system --user-group/);
  expect(unit).toMatch(/^Environment=SIGNALBOX_RUN_AS=signalbox-run\[1-9\]$/m);
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
  ]) {
    expect(unit.split('\n')).toContain(line);
  }
});
