// Settings that are read from files.

import { describe, expect, test } from 'vitest';
import { file, fileReaders, refusal } from '../../../test/helpers/config.ts';
import { loadConfig, loadWholeConfig } from './config.ts';

const masterKey = Buffer.alloc(32, 7).toString('base64');

describe('secrets may stand in files', () => {
  test('without the end of the line', () => {
    const config = loadConfig({
      SIGNALBOX_MASTER_KEY_FILE: file(`${masterKey}\n`),
      SIGNALBOX_ADMIN_PASSWORD_FILE: file('secret\r\n'),
    });
    expect([config.masterKey, config.admin.password]).toEqual([masterKey, 'secret']);
  });

  test('and yield to the variable itself', () => {
    const config = loadConfig({
      SIGNALBOX_ADMIN_PASSWORD: 'direct',
      SIGNALBOX_ADMIN_PASSWORD_FILE: file('from a file'),
    });
    expect(config.admin.password).toBe('direct');
  });

  test('and are named when they cannot be read', () => {
    expect(refusal({ SIGNALBOX_MASTER_KEY_FILE: '/nowhere/key' })).toBe(
      'SIGNALBOX_MASTER_KEY_FILE names a file that cannot be read: /nowhere/key',
    );
  });

  test('but other settings may not', () => {
    expect(refusal({ SIGNALBOX_PORT_FILE: file('4000') })).toMatch(
      /^SIGNALBOX_PORT_FILE is not a setting\./,
    );
  });
});

describe('settings may stand together in a file', () => {
  const yaml = `# Ours\nSIGNALBOX_PORT: 4000\nSIGNALBOX_SSH_HOST_KEYS: false\nSIGNALBOX_HOST: "::1"\n`;
  const json =
    '{"SIGNALBOX_PORT": 4000, "SIGNALBOX_SSH_HOST_KEYS": false, "SIGNALBOX_HOST": "::1"}';

  test.each([
    ['YAML', yaml],
    ['JSON', json],
  ])('in %s', (_format, text) => {
    const { port, pinSshHostKeys, host } = loadConfig(
      { SIGNALBOX_CONFIG: file(text) },
      fileReaders,
    );
    expect([port, pinSshHostKeys, host]).toEqual([4000, false, '::1']);
  });

  test('and name the file of the ways to sign in', async () => {
    const identity = file('ldap: {url: "ldaps://ldap.example.com", base_dn: "dc=example"}\n');
    const named = { SIGNALBOX_CONFIG: file(`SIGNALBOX_IDENTITY_FILE: ${identity}\n`) };
    for (const environment of [named, { SIGNALBOX_IDENTITY_FILE: identity }]) {
      const { ldap } = (await loadWholeConfig(environment)).identity;
      expect(ldap?.url).toBe('ldaps://ldap.example.com');
    }
  });

  test('and yield to the environment', () => {
    const environment = { SIGNALBOX_CONFIG: file(yaml), SIGNALBOX_PORT: '5000' };
    expect(loadConfig(environment, fileReaders).port).toBe(5000);
  });

  test('and are checked like others', () => {
    const wrong = file('SIGNALBOX_PORT: many\n');
    expect(refusal({ SIGNALBOX_CONFIG: wrong })).toContain('SIGNALBOX_PORT holds "many"');
    const list = file('SIGNALBOX_HOST: [a, b]\n');
    expect(refusal({ SIGNALBOX_CONFIG: list })).toContain('SIGNALBOX_HOST holds ["a","b"]');
    const secret = file('SIGNALBOX_MASTER_KEY: hunter2\n');
    expect(refusal({ SIGNALBOX_CONFIG: secret })).not.toContain('hunter2');
  });

  test('and are refused when nobody knows them', () => {
    expect(refusal({ SIGNALBOX_CONFIG: file('SIGNALBOX_PROT: 4000\n') })).toBe(
      'SIGNALBOX_CONFIG has the unknown setting SIGNALBOX_PROT. Did you mean SIGNALBOX_PORT?',
    );
  });

  test.each(['- a\n- b\n', 'just a text', '', 'a: [', '{"a": '])('unless it is %j', (text) => {
    const path = file(text);
    const message = refusal({ SIGNALBOX_CONFIG: path });
    expect(message).toMatch(/^SIGNALBOX_CONFIG (names a file that is not valid|must name a file)/);
    expect(message).toContain(path);
  });

  test('and a mistake of form is named with its place, without the text around it', () => {
    const wrong = file('SIGNALBOX_PORT: 4000\nSIGNALBOX_MASTER_KEY: "hunter2\n');
    const message = refusal({ SIGNALBOX_CONFIG: wrong });
    expect(message).toMatch(/ at line 3, column 1$/);
    expect(message).not.toContain('hunter2');
    expect(refusal({ SIGNALBOX_CONFIG: file('{\n"SIGNALBOX_PORT" 4000}') })).toMatch(
      / at line 2, column \d+$/,
    );
  });

  test('that exists', () => {
    expect(refusal({ SIGNALBOX_CONFIG: '/nowhere/at-all.yml' })).toContain('/nowhere/at-all.yml');
  });
});

test('an empty value is none', () => {
  const config = loadConfig({ SIGNALBOX_PORT: '', SIGNALBOX_PUBLIC_URL: '' });
  expect([config.port, config.publicUrl]).toEqual([3000, null]);
});
