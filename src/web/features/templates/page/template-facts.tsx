import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { kindOf } from '#shared/apps.ts';
import type { Template } from '#shared/api/templates.ts';
import { languageTag, t } from '../../../lib/i18n.ts';
import { span } from '../../../lib/time.ts';
import { ListLink, type ResourceListName } from '../../../resources/links.tsx';
import { Fact, Facts } from '../../../ui/page/facts.tsx';
import { TimeAhead } from '../../../lib/time-text.tsx';
import { keyQueries } from '../../keys/keys.queries.ts';
import { viewQueries } from '../../views/views.queries.ts';
import { appQueries } from '../../apps/apps.queries.ts';
import { scheduleQueries } from '../../schedules/schedules.queries.ts';
import { AppName } from '../app-name.tsx';
import { flagNames } from '../form/template-values.ts';
import { templateQueries } from '../templates.queries.ts';
import { useResourceNames } from '../use-resource-names.ts';

interface Props {
  projectId: number;
  templateId: number;
  /** Undefined while it is loaded. */
  template: Template | undefined;
}

/** The settings of the template that differ from their default. */
export function TemplateFacts({ projectId, templateId, template }: Props) {
  const { data: apps } = useQuery(appQueries.list());
  if (!template) return <FactBones />;
  return (
    <Facts>
      <Fact name={t('template.app')}>
        <AppName id={template.app} apps={apps} />
      </Fact>
      <Sources projectId={projectId} template={template} />
      <Kind template={template} />
      <Fact name={t('template.launched')}>{t('template.times', { count: template.tasks })}</Fact>
      <ScheduleFact projectId={projectId} templateId={templateId} />
      <Command template={template} />
      <Survey template={template} />
      <Rules template={template} />
    </Facts>
  );
}

function FactBones() {
  return (
    <Facts isLoading>
      {(['playbook', 'inventory', 'environment', 'repository'] as const).map((name) => (
        <Fact key={name} name={t(`template.column.${name}`)} />
      ))}
    </Facts>
  );
}

type FactsProps = { template: Template };

function Sources({ projectId, template }: FactsProps & { projectId: number }) {
  const names = useResourceNames(projectId);
  const views = useQuery(viewQueries.list(projectId)).data;
  const view = views?.find(({ id }) => id === template.view_id);
  const link = (list: ResourceListName, name: string) =>
    name === '—' ? name : <ListLink projectId={projectId} list={list} name={name} />;
  return (
    <>
      <Fact name={t(`template.form.file.${kindOf(template.app)}`)}>
        <code>{template.playbook || '—'}</code>
      </Fact>
      {template.working_directory && (
        <Fact name={t('template.form.working_directory')}>
          <code>{template.working_directory}</code>
        </Fact>
      )}
      <Fact name={t('template.column.repository')}>
        {link('repositories', names.repository(template.repository_id))}{' '}
        {template.git_branch && <code>{template.git_branch}</code>}
      </Fact>
      <Fact name={t('template.column.inventory')}>
        {link('inventory', names.inventory(template.inventory_id))}
      </Fact>
      <Fact name={t('template.column.environment')}>
        {template.environment_ids.length === 0 && '—'}
        {template.environment_ids.map((id, index) => (
          <Fragment key={id}>
            {index > 0 && ', '}
            {link('environment', names.environment(id))}
          </Fragment>
        ))}
      </Fact>
      {template.execution_environment_id !== null && (
        <Fact name={t('execution_environment.one')}>
          {link(
            'execution-environments',
            names.execution_environment(template.execution_environment_id),
          )}
        </Fact>
      )}
      {template.vaults.length > 0 && <VaultsFact projectId={projectId} template={template} />}
      {view && (
        <Fact name={t('template.form.view')}>
          <Link
            to="/project/$projectId/views/$viewId/templates"
            params={{ projectId, viewId: view.id }}
          >
            {view.title}
          </Link>
        </Fact>
      )}
    </>
  );
}

function VaultsFact({ projectId, template }: FactsProps & { projectId: number }) {
  const { data: keys } = useQuery(keyQueries.list(projectId));
  const words = template.vaults.map(({ name, vault_key_id: id, script }) => {
    const key = script ?? keys?.find((one) => one.id === id)?.name ?? '…';
    return name === null ? key : `${name}: ${key}`;
  });
  return <Fact name={t('template.form.vaults')}>{words.join(', ')}</Fact>;
}

function Kind({ template }: FactsProps) {
  const { type, start_version: first, build_template_id: buildId } = template;
  const { data } = useQuery({
    ...templateQueries.one(template.project_id, buildId ?? 0),
    enabled: buildId !== null,
  });
  const version = template.last_task?.version ?? template.last_task?.build_task?.version;
  return (
    <>
      {type === 'build' && <Fact name={t('template.form.start_version')}>{first || '—'}</Fact>}
      {buildId !== null && (
        <Fact name={t('template.form.build_template')}>
          <Link
            to="/project/$projectId/templates/$templateId"
            params={{ projectId: template.project_id, templateId: buildId }}
          >
            {data?.name ?? `#${buildId}`}
          </Link>
          {template.autorun && <span className="soft"> · {t('template.autorun_short')}</span>}
        </Fact>
      )}
      {version && <Fact name={t('template.last_version')}>{version}</Fact>}
    </>
  );
}

function Command({ template }: FactsProps) {
  const allowed = flagNames.filter((name) => name !== 'allow_debug_in_task' && template[name]);
  const texts = [
    [t('new_task.limit'), template.limit],
    [t('new_task.tags'), template.tags],
    [t('new_task.skip_tags'), template.skip_tags],
    [t('new_task.arguments'), template.arguments],
  ] as const;
  return (
    <>
      {texts.map(
        ([name, text]) =>
          text && (
            <Fact key={name} name={name}>
              <code>{text}</code>
            </Fact>
          ),
      )}
      {allowed.length > 0 && (
        <Fact name={t('template.form.allow')}>
          {allowed.map((name) => t(`template.flag.${name}`)).join(', ')}
        </Fact>
      )}
    </>
  );
}

function Survey({ template }: FactsProps) {
  const { survey_vars: variables } = template;
  if (variables.length === 0) return null;
  return (
    <Fact name={t('template.form.survey')} wide>
      {variables.map(({ title, required }) => (required ? `${title} *` : title)).join(', ')}
    </Fact>
  );
}

const ruleNames = [
  'requires_confirmation',
  'auto_approve',
  'allow_parallel_tasks',
  'suppress_success_alerts',
] as const;

function Rules({ template }: FactsProps) {
  const words: string[] = ruleNames
    .filter((name) => template[name])
    .map((name) => t(`template.more.${name}`));
  if (template.retries > 0 && template.retry_failed_hosts) {
    words.push(t('template.more.retry_failed_hosts'));
  }
  if (kindOf(template.app) === 'ansible' && template.fail_without_hosts) {
    words.push(t('template.more.fail_without_hosts'));
  }
  const counts = [
    [t('template.more.timeout_s'), template.timeout_s, span(template.timeout_s, languageTag)],
    [
      t('template.more.memory_limit_mib'),
      template.memory_limit_mib,
      `${template.memory_limit_mib} MiB`,
    ],
    [
      t('template.more.cpu_limit_percent'),
      template.cpu_limit_percent,
      `${template.cpu_limit_percent} %`,
    ],
    [t('template.more.process_limit'), template.process_limit, String(template.process_limit)],
    [t('template.more.retries'), template.retries, String(template.retries)],
    [t('template.more.keep_tasks'), template.keep_tasks, String(template.keep_tasks)],
    [t('template.more.keep_days'), template.keep_days, String(template.keep_days)],
  ] as const;
  return (
    <>
      {counts.map(
        ([name, count, text]) =>
          count > 0 && (
            <Fact key={name} name={name}>
              {text}
            </Fact>
          ),
      )}
      {template.install_requirements !== 'when_changed' && (
        <Fact name={t('template.requirements.label')}>
          {t(`template.requirements.${template.install_requirements}`)}
        </Fact>
      )}
      {template.runner_tags.length > 0 && (
        <Fact name={t('template.more.runner_tags')}>
          <code>{template.runner_tags.join(', ')}</code>
        </Fact>
      )}
      {words.length > 0 && (
        <Fact name={t('template.form.execution')} wide>
          {words.join(' · ')}
        </Fact>
      )}
    </>
  );
}

/** The schedules of the template with their next due times; null if it has none. */
function ScheduleFact({ projectId, templateId }: { projectId: number; templateId: number }) {
  const { data } = useQuery(scheduleQueries.ofTemplate(projectId, templateId));
  const { data: sentence } = useQuery({
    ...scheduleQueries.sentence(),
    enabled: (data?.length ?? 0) > 0,
  });
  if (!data || data.length === 0) return null;
  return (
    <Fact name={t('template.form.schedule')} wide>
      {data.map(({ id, name, cron_format: cron, time_zone: zone, active, next_due: next }) => (
        <div key={id}>
          {name && `${name}: `}
          <code>{cron}</code> · {sentence?.(cron) ?? cron} · {zone} ·{' '}
          {active && next ? <TimeAhead time={next} /> : t('schedule.off')}
        </div>
      ))}
    </Fact>
  );
}
