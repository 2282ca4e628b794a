import { useQuery } from '@tanstack/react-query';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../lib/i18n.ts';
import type { May } from '../../../lib/roles/may.ts';
import { environmentQueries } from '../../environments/environments.queries.ts';
import { inventoryQueries } from '../../inventories/inventories.queries.ts';
import { keyQueries } from '../../keys/keys.queries.ts';
import { repositoryQueries } from '../../repositories/repositories.queries.ts';
import type { TemplateParts } from '../form/template-fields-props.ts';
import { useNewResource } from '../form/new-resource.tsx';

interface Props {
  projectId: number;
  may: May;
  renderNew: TemplateParts['renderNew'];
  children: ReactNode;
}

/** A new resource appears in the list without a navigation. */
const leave = (): void => undefined;

/** The steps to a first template; each dialog opens here, so that the next step stays visible. */
export function FirstSteps({ projectId, may, renderNew, children }: Props) {
  const { onNew, dialog } = useNewResource(renderNew);
  const steps = [
    ['key', useQuery(keyQueries.list(projectId)).data],
    ['repository', useQuery(repositoryQueries.list(projectId)).data],
    ['inventory', useQuery(inventoryQueries.list(projectId)).data],
    ['environment', useQuery(environmentQueries.list(projectId)).data],
  ] as const;
  const isDone = (list: readonly unknown[] | undefined) => (list?.length ?? 0) > 0;
  return (
    <>
      <ol style={{ marginBottom: 20, textAlign: 'start' }}>
        {steps.map(([name, list], index) => (
          <li key={name} className="flex gap-12 py-8">
            <span
              className={`inline-flex center flex-none smaller ${isDone(list) ? 'tone-success' : 'soft border-strong'} `}
              style={{ width: 24, height: 24, borderRadius: '50%' }}
              aria-hidden="true"
            >
              {isDone(list) ? <IconCheck size={14} /> : index + 1}
            </span>
            <span className="column items-start">
              {isDone(list) || !may(`${name}.edit`) ? (
                <span className="weight-550">
                  {t(isDone(list) ? `template.step.${name}_done` : `template.step.${name}`)}
                </span>
              ) : (
                <button
                  type="button"
                  className="weight-550 link-button"
                  onClick={() => onNew(name, leave)}
                >
                  {t(`template.step.${name}`)}
                </button>
              )}
              <span className="soft">{t(`template.step.${name}_text`)}</span>
            </span>
          </li>
        ))}
      </ol>
      {children}
      {dialog}
    </>
  );
}
