import { statements } from './statements.ts';

export const start = statements(`
  create table users (
    id {id},
    created varchar(24) not null,
    username varchar(255) not null unique,
    name varchar(255) not null,
    email varchar(255) not null unique,
    password_hash text,
    admin integer not null,
    external integer not null,
    alert integer not null
  );
  create table sessions (
    id {id},
    user_id {int64} not null references users (id) on delete cascade,
    token_hash varchar(64) not null unique,
    created varchar(24) not null,
    last_active varchar(24) not null,
    expires varchar(24) not null,
    ip varchar(64) not null,
    user_agent varchar(512) not null
  );
  create index sessions_by_user_id on sessions (user_id);
  create table projects (
    id {id},
    name varchar(255) not null,
    created varchar(24) not null,
    alert integer not null,
    alert_chat varchar(30),
    max_parallel_tasks integer not null,
    type varchar(20) not null,
    revision integer default 1 not null
  );
  create table members (
    project_id {int64} not null references projects (id) on delete cascade,
    user_id {int64} not null references users (id) on delete cascade,
    role varchar(20) not null,
    constraint members_key primary key (project_id, user_id)
  );
  create index members_by_user_id on members (user_id);
  create table keys (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    name varchar(255) not null,
    revision integer default 1 not null,
    type varchar(20) not null,
    secret text,
    constraint keys_name unique (project_id, name),
    -- The target of the references below: a row together with its project, so that no row can
    -- refer to a row of another project.
    constraint keys_project unique (project_id, id)
  );
  create table repositories (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    name varchar(255) not null,
    revision integer default 1 not null,
    git_url text not null,
    git_branch varchar(255) not null,
    ssh_key_id {int64} not null,
    constraint repositories_name unique (project_id, name),
    constraint repositories_project unique (project_id, id),
    constraint repositories_ssh_key foreign key (project_id, ssh_key_id)
      references keys (project_id, id)
  );
  create table inventories (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    name varchar(255) not null,
    revision integer default 1 not null,
    type varchar(30) not null,
    inventory text not null,
    ssh_key_id {int64},
    become_key_id {int64},
    repository_id {int64},
    constraint inventories_name unique (project_id, name),
    constraint inventories_project unique (project_id, id),
    constraint inventories_ssh_key foreign key (project_id, ssh_key_id)
      references keys (project_id, id),
    constraint inventories_become_key foreign key (project_id, become_key_id)
      references keys (project_id, id),
    constraint inventories_repository foreign key (project_id, repository_id)
      references repositories (project_id, id)
  );
  create table environments (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    name varchar(255) not null,
    revision integer default 1 not null,
    json text not null,
    env text not null,
    constraint environments_name unique (project_id, name),
    constraint environments_project unique (project_id, id)
  );
  create table views (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    title varchar(100) not null,
    position integer not null,
    constraint views_project unique (project_id, id)
  );
  create table templates (
    id {id},
    project_id {int64} not null references projects (id) on delete cascade,
    name varchar(255) not null,
    revision integer default 1 not null,
    app varchar(50) not null,
    type varchar(10) not null,
    playbook varchar(255) not null,
    repository_id {int64} not null,
    git_branch varchar(255),
    arguments text,
    start_version varchar(100),
    description text not null,
    "limit" text not null,
    tags text not null,
    skip_tags text not null,
    survey_vars text not null,
    allow_override_args_in_task integer not null,
    allow_override_inventory_in_task integer not null,
    allow_override_branch_in_task integer not null,
    allow_override_limit_in_task integer not null,
    allow_override_tags_in_task integer not null,
    allow_override_skip_tags_in_task integer not null,
    allow_debug_in_task integer not null,
    allow_parallel_tasks integer not null,
    autorun integer default 0 not null,
    timeout_s integer default 0 not null,
    retries integer default 0 not null,
    requires_confirmation integer default 0 not null,
    suppress_success_alerts integer default 0 not null,
    keep_tasks integer default 0 not null,
    keep_days integer default 0 not null,
    tasks integer default 0 not null,
    inventory_id {int64},
    environment_id {int64},
    view_id {int64},
    build_template_id {int64},
    constraint templates_name unique (project_id, name),
    constraint templates_project unique (project_id, id),
    constraint templates_inventory_id foreign key (project_id, inventory_id)
      references inventories (project_id, id),
    constraint templates_environment_id foreign key (project_id, environment_id)
      references environments (project_id, id),
    constraint templates_view_id foreign key (project_id, view_id) references views (project_id, id),
    constraint templates_build_template_id foreign key (project_id, build_template_id)
      references templates (project_id, id),
    constraint templates_repository_id foreign key (project_id, repository_id)
      references repositories (project_id, id)
  );
  create table template_vaults (
    id {id},
    project_id {int64} not null,
    template_id {int64} not null,
    vault_key_id {int64} not null,
    name varchar(100),
    constraint template_vaults_template foreign key (project_id, template_id)
      references templates (project_id, id) on delete cascade,
    constraint template_vaults_key foreign key (project_id, vault_key_id)
      references keys (project_id, id)
  );
  create index template_vaults_by_template_id on template_vaults (template_id);
  create table tasks (
    id {id},
    project_id {int64} not null,
    template_id {int64} not null,
    status varchar(30) not null,
    created varchar(24) not null,
    start varchar(24),
    "end" varchar(24),
    user_id {int64} references users (id) on delete set null,
    message varchar(250) not null,
    version varchar(100),
    build_task_id {int64} references tasks (id) on delete set null,
    commit_hash varchar(64),
    commit_message text default '' not null,
    environment text not null,
    secret text,
    debug integer not null,
    dry_run integer not null,
    diff integer not null,
    playbook varchar(255) not null,
    arguments text,
    git_branch varchar(255),
    "limit" text not null,
    tags text not null,
    skip_tags text not null,
    inventory_id {int64} references inventories (id) on delete set null,
    snapshot text not null,
    log_lines integer default 0 not null,
    constraint tasks_template foreign key (project_id, template_id)
      references templates (project_id, id) on delete cascade
  );
  create index tasks_by_project_id_id on tasks (project_id, id);
  create index tasks_by_template_id_id on tasks (template_id, id);
  create index tasks_by_status_id on tasks (status, id);
  create table task_log_chunks (
    task_id {int64} not null references tasks (id) on delete cascade,
    first_line integer not null,
    lines integer not null,
    bytes integer not null,
    time varchar(24) not null,
    data {bytes} not null,
    constraint task_log_chunks_key primary key (task_id, first_line)
  );
  create table settings (
    name varchar(100) primary key,
    value text not null
  )
`);
