import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { TaskSnapshot } from '#shared/api/task-snapshot.ts';
import { ansibleArguments, answerVariables, extraVariables } from './ansible.ts';
import { detailVariables, processVariables } from '../prepare/variables.ts';

const snapshot: TaskSnapshot = {
  app: 'ansible',
  program: { path: 'ansible-playbook', args: [] },
  type: '',
  startVersion: null,
  incomingVersion: null,
  message: '',
  username: 'anna',
  templateName: 'Deploy',
  playbook: 'site.yml',
  branch: 'main',
  commit: null,
  repository: { id: 1, git_url: '/srv/code', ssh_key_id: 1 },
  inventory: null,
  inventoryRepository: null,
  environment: null,
  vaults: [],
  arguments: [],
  limit: '',
  tags: '',
  skipTags: '',
  debug: false,
  dryRun: false,
  diff: false,
  autoApprove: false,
  allowParallel: false,
  timeoutS: 0,
  retryDelayS: 10,
};
const paths = {
  inventory: '/run/inventory',
  variables: '/run/variables.yml',
  answers: null,
  connectionPassword: null,
  becomePassword: null,
  vaultPasswords: [],
};
const details = { id: 7, username: 'anna', url: null };
const logins = { user: '', become: '' };

test('gives the least that a run needs', () => {
  expect(ansibleArguments(snapshot, paths, logins)).toEqual([
    '--inventory=/run/inventory',
    '--extra-vars=@/run/variables.yml',
    'site.yml',
  ]);
});

test('gives everything that a run can have, in a fixed order', () => {
  const all: TaskSnapshot = {
    ...snapshot,
    arguments: ['--forks', '20'],
    limit: 'web,!web3',
    tags: 'a,b',
    skipTags: 'c',
    debug: true,
    dryRun: true,
    diff: true,
    vaults: [
      { keyId: 1, name: 'default' },
      { keyId: 2, name: 'prod' },
    ],
  };
  const allPaths = {
    ...paths,
    answers: '/run/answers.yml',
    connectionPassword: '/run/connection',
    becomePassword: '/run/become',
    vaultPasswords: ['/run/vault-0', '/run/vault-1'],
  };
  expect(ansibleArguments(all, allPaths, { user: 'deploy', become: 'root' })).toEqual([
    '--inventory=/run/inventory',
    '--user=deploy',
    '--connection-password-file=/run/connection',
    '--become-user=root',
    '--become-password-file=/run/become',
    '-vvvv',
    '--diff',
    '--check',
    '--vault-id=default@/run/vault-0',
    '--vault-id=prod@/run/vault-1',
    '--extra-vars=@/run/variables.yml',
    '--forks',
    '20',
    '--extra-vars=@/run/answers.yml',
    '--limit=web,!web3',
    '--tags=a,b',
    '--skip-tags=c',
    'site.yml',
  ]);
});

test('keeps types, and marks texts of people and secrets as unsafe', () => {
  const environment = { id: 1, json: '{"region":"north","count":1,"nested":{"a":[1]}}', env: '{}' };
  const unsafe = {
    tag: '!unsafe',
    resolve: (value: string) => ({ unsafe: value }),
  };
  const read = (text: string | null): unknown => parse(text ?? '', { customTags: [unsafe] });
  const text = extraVariables({ ...snapshot, environment }, details, { region: 'a: "b"\nc' });
  const shown = { task_details: { ...details, username: { unsafe: 'anna' } } };
  expect(read(text)).toEqual({
    region: { unsafe: 'a: "b"\nc' },
    count: 1,
    nested: { a: [1] },
    signalbox_vars: shown,
    semaphore_vars: shown,
  });
  const answers = {
    region: "{{ lookup('pipe','id') }}",
    count: 3,
    fast: true,
    signalbox_vars: 'x',
  };
  expect(read(answerVariables(answers, { count: 4 }))).toEqual({
    region: { unsafe: "{{ lookup('pipe','id') }}" },
    count: 4,
    fast: true,
  });
  expect(answerVariables({}, {})).toBeNull();
});

test('tells builds and deploys of their versions, in the environment too', () => {
  expect(detailVariables(details)).toEqual({});
  expect(detailVariables({ ...details, type: 'deploy', incoming_version: '1.2' })).toEqual({
    SIGNALBOX_TASK_TYPE: 'deploy',
    SIGNALBOX_TASK_INCOMING_VERSION: '1.2',
    SEMAPHORE_TASK_TYPE: 'deploy',
    SEMAPHORE_TASK_INCOMING_VERSION: '1.2',
  });
});

test('hands plain values of the environment to the process as texts', () => {
  const environment = { id: 1, json: '{}', env: '{"A":"x","B":2,"C":true,"D":null}' };
  expect(processVariables({ ...snapshot, environment })).toEqual({ A: 'x', B: '2', C: 'true' });
});
