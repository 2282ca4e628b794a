// A project with a configuration that the real programs understand, and by its comments a stand-in too.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commitFiles, folder, git } from '../helpers/seed.ts';
import type { TaskInput } from './given.ts';
import { testRunner, type TestRunner } from './test-runner.ts';

export const standIn = fileURLToPath(new URL('../fixtures/stand-in/terraform', import.meta.url));

function installed(): [name: string, path: string][] {
  return ['terraform', 'tofu'].flatMap((name): [string, string][] => {
    try {
      return [[`the real ${name}`, execFileSync('which', [name], { encoding: 'utf8' }).trim()]];
    } catch {
      return [];
    }
  });
}

/** Terraform and OpenTofu where they are installed, and always the stand-in. */
export const programs: [name: string, path: string][] = [
  ['a stand-in for terraform', standIn],
  ...installed(),
];

/** Understood by Terraform and, by its comments, by the stand-in. */
export const configuration = (word: string): string => `# input: ${word}
variable "word" {
  type    = string
  default = ${JSON.stringify(word)}
}
resource "terraform_data" "it" {
  input = var.word
}
`;
export const broken = '# fails\nresource "terraform_data" "it" {\n  nothing = true\n}\n';

export interface TerraformProject {
  runner: TestRunner;
  /** Commits other files. */
  commit: (files: Record<string, string>) => Promise<unknown>;
  /** Commits another configuration. */
  change: (text: string) => Promise<unknown>;
  /** A task of the project's template. */
  task: (given?: TaskInput) => TaskInput;
}

export async function projectOf(program: string): Promise<TerraformProject> {
  const runner = await testRunner();
  const repository = await folder();
  await git(repository, 'init', '--quiet');
  const commit: TerraformProject['commit'] = (files) => commitFiles(repository, files);
  const change = (text: string) => commit({ 'infra/main.tf': text });
  await change(configuration('one'));
  const task: TerraformProject['task'] = (given) => ({
    app: 'terraform',
    program: { path: program, args: [] },
    playbook: 'infra',
    repository,
    inventory: null,
    ...given,
  });
  return { runner, commit, change, task };
}
