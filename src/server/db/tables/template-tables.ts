// The tables of templates and of the views that group them.

import type { Generated } from 'kysely';
import type { TemplateFlag } from '#shared/api/templates.ts';
import type { Flag, ResourceColumns } from './columns.ts';

interface Views {
  id: Generated<number>;
  project_id: number;
  /** Unique in the project. */
  title: string;
  position: number;
  revision: Generated<number>;
}

interface Templates extends ResourceColumns, Record<TemplateFlag, Generated<Flag>> {
  description: string;
  app: string;
  type: string;
  playbook: string;
  /** The folder of the repository in which programs start; empty for the top. */
  working_directory: Generated<string>;
  inventory_id: number | null;
  repository_id: number;
  environment_id: number | null;
  view_id: number | null;
  git_branch: string | null;
  arguments: string | null;
  limit: string;
  tags: string;
  skip_tags: string;
  install_requirements: Generated<string>;
  survey_vars: string;
  start_version: string | null;
  build_template_id: number | null;
  /** The time limit in seconds; 0 for none. */
  timeout_s: Generated<number>;
  /** What the programs of a task may use together; 0 for no limit. */
  memory_limit_mib: Generated<number>;
  cpu_limit_percent: Generated<number>;
  process_limit: Generated<number>;
  /** How often a failed task is retried, and the seconds before the first retry. */
  retries: Generated<number>;
  retry_delay_s: Generated<number>;
  /** Whether it was made from a backup. */
  restored: Generated<Flag>;
  /** JSON: the required tags; empty for those of the project. */
  runner_tags: Generated<string>;
  /** How many finished tasks are kept, and for how many days; 0 for all. */
  keep_tasks: Generated<number>;
  keep_days: Generated<number>;
  /** The number of tasks that were launched from it. */
  tasks: Generated<number>;
}

/** The environments of a template behind its first one, in their order. */
interface TemplateEnvironments {
  project_id: number;
  template_id: number;
  environment_id: number;
  position: number;
}

interface TemplateVaults {
  id: Generated<number>;
  project_id: number;
  template_id: number;
  vault_key_id: number;
  /** Its place among all vaults of the template, those with scripts included. */
  position: Generated<number>;
  /** The vault id; null for Ansible's "default". */
  name: string | null;
}

/** Vaults whose password a script of the repository prints. */
interface TemplateVaultScripts {
  id: Generated<number>;
  project_id: number;
  template_id: number;
  name: string | null;
  /** The path of the script in the repository. */
  script: string;
  position: number;
}

export interface TemplateTables {
  views: Views;
  templates: Templates;
  template_environments: TemplateEnvironments;
  template_vaults: TemplateVaults;
  template_vault_scripts: TemplateVaultScripts;
}
