// Builds what `npm run test:toolchains` needs and no Debian package has: OpenTofu, and the provider of
// the tests, which lies in a mirror in the file system as for machines without a registry.

import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const tofuVersion = '1.12.6';
const providerAddress = 'example.test/signalbox/drill';
const providerVersion = '1.0.0';

const built = join(import.meta.dirname, '../../.setup/toolchains');
const sources = join(import.meta.dirname, 'provider');

export interface Toolchains {
  /** The paths of the programs, by the id of their app. */
  programs: { terraform: string; tofu: string };
  /** The value of `TF_CLI_CONFIG_FILE` that names the mirror. */
  cliConfig: string;
}

const environment = { ...process.env, CGO_ENABLED: '0' };

function run(command: string, args: string[], cwd = built): string {
  return execFileSync(command, args, {
    cwd,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function findTerraform(): string {
  try {
    return run('which', ['terraform']).trim();
  } catch (cause) {
    throw new Error('Terraform is not installed; these tests need it on the PATH.', { cause });
  }
}

/** Builds OpenTofu from its module, in a copy, because folders of the module cache are read-only. */
function buildTofu(): string {
  const program = join(built, `tofu-${tofuVersion}`);
  if (existsSync(program)) return program;
  const told = run('go', [
    'mod',
    'download',
    '-json',
    `github.com/opentofu/opentofu@v${tofuVersion}`,
  ]);
  const { Dir } = JSON.parse(told) as { Dir: string };
  const copy = join(built, 'tofu-source');
  rmSync(copy, { recursive: true, force: true });
  cpSync(Dir, copy, { recursive: true });
  run('chmod', ['-R', 'u+w', copy]);
  run('go', ['build', '-o', program, './cmd/tofu'], copy);
  rmSync(copy, { recursive: true });
  return program;
}

/** Builds the provider if its sources have changed; returns the folder of the mirror. */
function buildProvider(): string {
  const hash = createHash('sha256');
  for (const name of globSync('*', { cwd: sources }).toSorted()) {
    hash.update(`${name}\0${readFileSync(join(sources, name), 'utf8')}\0`);
  }
  const mirror = join(built, `mirror-${hash.digest('hex').slice(0, 16)}`);
  const folder = join(mirror, providerAddress, providerVersion, platform());
  const program = join(folder, `terraform-provider-drill_v${providerVersion}`);
  if (!existsSync(program)) run('go', ['build', '-trimpath', '-o', program, '.'], sources);
  return mirror;
}

/** Such as `linux_amd64`. */
const platform = (): string => run('go', ['env', 'GOOS', 'GOARCH']).trim().replace('\n', '_');

/** Builds what is missing, which takes minutes the first time. */
export function buildToolchains(): Toolchains {
  mkdirSync(built, { recursive: true });
  const cliConfig = join(built, 'mirror.tfrc');
  const mirror = buildProvider();
  writeFileSync(
    cliConfig,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`,
  );
  return { programs: { terraform: findTerraform(), tofu: buildTofu() }, cliConfig };
}
