import type { Generated } from 'kysely';
import type { TemplateFlag } from '#shared/api/templates.ts';
import type { Flag, ResourceColumns } from './columns.ts';

export interface TemplateTables {
  views: {
    id: Generated<number>;
    project_id: number;
    title: string;
    position: number;
    revision: Generated<number>;
  };
  templates: ResourceColumns &
    Record<TemplateFlag, Generated<Flag>> & {
      description: string;
      app: string;
      type: string;
      playbook: string;
      /** The working directory in the repository; empty for the top. */
      working_directory: Generated<string>;
      inventory_id: number | null;
      repository_id: number;
      environment_id: number | null;
      view_id: number | null;
      /** Null: the default of the project. */
      execution_environment_id: Generated<number | null>;
      git_branch: string | null;
      arguments: string | null;
      limit: string;
      tags: string;
      skip_tags: string;
      install_requirements: Generated<string>;
      survey_vars: string;
      start_version: string | null;
      build_template_id: number | null;
      /** In seconds; 0 for none. */
      timeout_s: Generated<number>;
      /** Resource limits of a task; 0 for none. */
      memory_limit_mib: Generated<number>;
      cpu_limit_percent: Generated<number>;
      process_limit: Generated<number>;
      /** Retries, and seconds before the first one. */
      retries: Generated<number>;
      retry_delay_s: Generated<number>;
      restored: Generated<Flag>;
      /** JSON; empty: the tags of the project. */
      runner_tags: Generated<string>;
      /** Retention; 0 for all. */
      keep_tasks: Generated<number>;
      keep_days: Generated<number>;
      tasks: Generated<number>;
    };
  template_environments: {
    project_id: number;
    template_id: number;
    environment_id: number;
    position: number;
  };
  template_vaults: {
    id: Generated<number>;
    project_id: number;
    template_id: number;
    vault_key_id: number;
    /** Position among all vaults, including scripts. */
    position: Generated<number>;
    /** Null: Ansible's "default". */
    name: string | null;
  };
  /** Vaults with a password script. */
  template_vault_scripts: {
    id: Generated<number>;
    project_id: number;
    template_id: number;
    name: string | null;
    script: string;
    position: number;
  };
}
