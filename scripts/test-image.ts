// `npm run test:image`: builds the image of deploy/Dockerfile with buildah, checks what must not be
// inside, and runs the demo in it, without an engine or a registry of images: debootstrap makes the
// bases. `--base IMAGE --build-base IMAGE` use others, `--fresh` makes the bases again, and
// `--image IMAGE` checks an existing image instead.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../test/helpers/free-port.ts';
import { makeAuthority, serveRepository } from './image/authority.ts';
import { makeBases } from './image/bases.ts';
import { buildImage, builtName, labelsOf, packageVersion, sizesOf } from './image/build.ts';
import { runInside, startContainer } from './image/container.ts';
import { composeVersion, startDatabase } from './image/database.ts';
import { checkFiles } from './image/inside.ts';
import { buildah } from './trial/programs.ts';
import { createDemo, ended, launch, signIn, untilLogged, untilReady } from './trial/tasks.ts';
import { trial } from './trial/trial.ts';

const mostMegabytes = 500;
const password = 'a long enough password';
const certificates = '/usr/local/share/ca-certificates/company/';

const { values: options } = parseArgs({
  options: {
    base: { type: 'string' },
    'build-base': { type: 'string' },
    image: { type: 'string' },
    fresh: { type: 'boolean', default: false },
  },
});

/** The packages of Debian with the programs that are needed. */
const packageOf = {
  buildah: 'buildah',
  // Only the bases are made by it.
  ...(options.base && options['build-base'] ? {} : { debootstrap: 'debootstrap' }),
  unshare: 'util-linux',
  openssl: 'openssl',
  git: 'git',
  npm: 'npm',
};

const say = (text: string): void => console.log(`image: ${text}`);

function checkImage(image: string): void {
  const container = buildah('from', image);
  try {
    const root = buildah('mount', container);
    checkFiles(root);
    const { unpacked, packed } = sizesOf(image, root);
    say(`${unpacked.toFixed(0)} MB of files, ${packed.toFixed(0)} MB packed`);
    assert(unpacked < mostMegabytes, `The image has more than ${mostMegabytes} MB.`);
  } finally {
    buildah('rm', container);
  }
  const labels = labelsOf(image);
  assert.equal(labels['org.opencontainers.image.version'], packageVersion);
  assert.equal(labels['org.opencontainers.image.licenses'], 'MIT');
  assert.match(labels['org.opencontainers.image.revision'] ?? '', /^[0-9a-f]{40}$/);
}

/** Adds an authority as the build does; then programs must trust a server with its certificate. */
async function checkTrust(container: string, place: string, url: string): Promise<void> {
  const list = ['git', 'ls-remote', `${url}/code.git`, 'main'];
  await assert.rejects(runInside(container, list), /certificate/);
  buildah('copy', '--quiet', container, join(place, 'ca.crt'), certificates);
  await runInside(container, ['update-ca-certificates']);
  const requests = {
    git: list,
    Node: ['node', '-e', `fetch('${url}/code.git/HEAD').then((r) => r.text()).then(console.log)`],
    Python: [
      'python3',
      '-c',
      `import urllib.request as r; print(r.urlopen('${url}/code.git/HEAD').read())`,
    ],
    Ansible: [
      'ansible',
      'localhost',
      '-m',
      'uri',
      '-a',
      `url=${url}/code.git/HEAD return_content=yes`,
    ],
  };
  for (const [name, command] of Object.entries(requests)) {
    assert.match(
      await runInside(container, command),
      /refs\/heads\/main/,
      `${name} trusts the authority`,
    );
  }
  say(`trusted the authority of the company: ${Object.keys(requests).join(', ')}`);
}

async function checkRuns(container: string, place: string): Promise<void> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const given = {
    settings: {
      SIGNALBOX_HOST: '127.0.0.1',
      SIGNALBOX_PORT: String(port),
      SIGNALBOX_ADMIN_PASSWORD: password,
      SIGNALBOX_LOCAL_REPOSITORIES: '/srv',
    },
    volumes: { '/srv/code': join(place, 'work') },
  };
  const started = performance.now();
  let server = startContainer(container, given);
  try {
    await untilReady(address, server.printed);
    say(`ready after ${((performance.now() - started) / 1000).toFixed(1)} s`);
    const call = await signIn(address, password);
    const { project, byName } = await createDemo(
      call,
      '/srv/code',
      ['hello.sh', 'wait.sh'].map((playbook) => ({ name: playbook, playbook })),
    );
    const demo = await ended(
      call,
      project,
      await launch(call, project, byName('2. Look at the server')),
    );
    assert.equal(demo.status, 'success', demo.log);
    const hello = await ended(call, project, await launch(call, project, byName('hello.sh')));
    assert.match(hello.log, /hello from run[1-8]$/m);
    say('ran the demo, and a script as a user of its own');

    const waiting = await launch(call, project, byName('wait.sh'));
    await untilLogged(call, project, waiting, 'waiting');
    const { seconds } = await server.stop();
    say(`ended ${seconds.toFixed(1)} s after SIGTERM, while a task ran`);
    server = startContainer(container, given);
    await untilReady(address, server.printed);
    const lost = await ended(await signIn(address, password), project, waiting);
    assert.equal(lost.status, 'error');
    assert.match(lost.log, /supervisor of this task is gone/);
    say('the task that ran says that it ended with its container');
    await server.stop();
  } finally {
    server.kill();
  }
}

/**
 * Backs up an installation on the PostgreSQL of the compose files: the programs in the image have to
 * support that version.
 */
async function checkDatabase(image: string, container: string, place: string): Promise<void> {
  const beside = buildah('from', image);
  try {
    const database = await startDatabase(beside, await freePort());
    try {
      assert.equal(database.version, composeVersion());
      await checkBackup(container, place, database.url);
      say(`backed up an installation on PostgreSQL ${database.version}`);
    } finally {
      await database.stop();
    }
  } finally {
    buildah('rm', beside);
  }
}

async function checkBackup(container: string, place: string, database: string): Promise<void> {
  const port = await freePort();
  const given = {
    settings: {
      SIGNALBOX_HOST: '127.0.0.1',
      SIGNALBOX_PORT: String(port),
      SIGNALBOX_DATA_DIR: '/data/on-postgresql',
      SIGNALBOX_DATABASE_URL: database,
    },
    volumes: { '/backups': place },
  };
  const server = startContainer(container, given);
  try {
    await untilReady(`http://127.0.0.1:${port}`, server.printed);
    const backup = ['signalbox', 'backup', '--to', '/backups'];
    assert.match(await runInside(container, backup, given), /\.tar\.zst/);
    await server.stop();
  } finally {
    server.kill();
  }
}

function build(): string {
  const { base, 'build-base': buildBase, fresh } = options;
  const bases = base && buildBase ? { base, buildBase } : makeBases(fresh);
  say(`built in ${buildImage(bases).toFixed(0)} s`);
  return builtName;
}

async function check(place: string): Promise<void> {
  const image = options.image ?? build();
  checkImage(image);
  const container = buildah('from', image);
  try {
    makeAuthority(place);
    const repository = await serveRepository(place);
    try {
      await checkTrust(container, place, repository.url);
    } finally {
      repository.close();
    }
    await checkRuns(container, place);
    await checkDatabase(image, container, place);
  } finally {
    buildah('rm', container);
  }
}

await trial({ what: 'image', packageOf, check });
