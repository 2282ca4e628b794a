import { useQuery } from '@tanstack/react-query';
import {
  executionEnvironments,
  type ExecutionKind,
  installationEnvironments,
} from '#shared/api/execution-environments.ts';
import { t } from '../../lib/i18n.ts';
import { query } from '../../lib/query.ts';
import { defineResource } from '../../resources/resource.ts';

export const executionEnvironmentResource = defineResource({
  noun: 'execution_environment',
  endpoints: executionEnvironments,
  refs: executionEnvironments.refs,
});

export const installationEnvironmentResource = defineResource({
  noun: 'execution_environment',
  endpoints: installationEnvironments,
  refs: installationEnvironments.refs,
  // The lists of projects contain those of the installation.
  alsoRefresh: [executionEnvironments.list],
  params: (_scope: object) => ({}),
});

export const executionEnvironmentQueries = {
  /** `projectId` is null for those of the installation, which only administrators see. */
  list: (projectId: number | null) =>
    projectId === null
      ? query(installationEnvironments.list)
      : query(executionEnvironments.list, { params: { project_id: projectId } }),
};

/** A name with the kind of its programs. */
const executionWords = (name: string, kind: ExecutionKind): string =>
  t('execution_environment.named', { name, kind: t(`execution_environment.kind.${kind}`) });

/**
 * The execution environments of a project as choices, which name their kind and say if they cannot
 * run; undefined until they are loaded.
 */
export function useExecutionChoices(projectId: number): { id: number; name: string }[] | undefined {
  const { data } = useQuery(executionEnvironmentQueries.list(projectId));
  return data?.map(({ id, name, kind, unavailable }) => ({
    id,
    name:
      unavailable === null
        ? executionWords(name, kind)
        : `${executionWords(name, kind)} · ${t('execution_environment.unavailable')}`,
  }));
}
