import { Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Integration } from '#shared/api/integrations.ts';
import { lazyExport } from '../../ui/lazy-export.ts';
import { toastFailure } from '../../resources/use-confirmed.tsx';
import { revisionOf } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { useOptimisticValue } from '../../lib/use-optimistic-value.ts';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { Fact, Facts } from '../../ui/page/facts.tsx';
import { TabLinks } from '../../ui/page/tab-links.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { keyQueries } from '../keys/keys.queries.ts';
import { IntegrationAliases } from './alias-list.tsx';
import { methodWords } from './integration-words.ts';
import { integrationBody, integrationValues } from './integration-values.ts';
import {
  integrationQueries,
  type IntegrationRef,
  integrationResource,
} from './integrations.queries.ts';
import { MatcherList, ValueList } from './rule-lists.tsx';
import { IntegrationTarget, useTargetName } from './target-link.tsx';
import { EditablePage } from '../../resources/query-page.tsx';

const IntegrationDialog = lazyExport(() => import('./integration-dialog.tsx'), 'IntegrationDialog');

const integrationTabs = ['settings', 'deliveries', 'try'] as const;

interface Props {
  place: IntegrationRef;
  mayManage: boolean;
  /** The dialog that edits the integration itself; `edit` in the address. */
  address: EditAddress;
  valueAddress: EditAddress;
  matcherAddress: EditAddress;
  tab: (typeof integrationTabs)[number];
  children: ReactNode;
  onDeleted: () => void;
}

export function IntegrationPage(props: Props) {
  const { place, mayManage, address, tab, children, onDeleted } = props;
  const { projectId } = place;
  const result = useQuery(integrationQueries.one(place));
  const tabs = integrationTabs.map((key) => ({ key, title: t(`integration.tab.${key}`) }));
  return (
    <EditablePage
      title={result.data?.name ?? t('integration.one')}
      above={
        <Link to="/project/$projectId/integrations" params={{ projectId }}>
          {t('integration.list')}
        </Link>
      }
      // Deliveries and aliases need the permission to change integrations.
      tabs={mayManage && <TabLinks tabs={tabs} />}
      result={result}
      resource={integrationResource}
      scope={{ projectId }}
      Dialog={IntegrationDialog}
      mayManage={mayManage}
      address={address}
      onDeleted={onDeleted}
    >
      {tab === 'settings' || !mayManage ? (
        <Settings {...props} integration={result.data} />
      ) : (
        children
      )}
    </EditablePage>
  );
}

function Settings(props: Props & { integration: Integration | undefined }) {
  const { place, mayManage, integration, valueAddress, matcherAddress } = props;
  return (
    <div className="pt-16" style={{ maxWidth: 960 }}>
      <IntegrationFacts projectId={place.projectId} integration={integration} />
      {mayManage && (
        <>
          <IntegrationAliases place={place} />
          <Searchable integration={integration} />
        </>
      )}
      <ValueList place={place} mayManage={mayManage} address={valueAddress} />
      <MatcherList place={place} mayManage={mayManage} address={matcherAddress} />
    </div>
  );
}

function IntegrationFacts({
  projectId,
  integration,
}: {
  projectId: number;
  integration: Integration | undefined;
}) {
  const targetOf = useTargetName(projectId);
  const keys = useQuery(keyQueries.list(projectId));
  const method = methodWords(integration?.auth_method ?? '');
  const nameOf = (list: { id: number; name: string }[] | undefined, id: number | null) =>
    list?.find((one) => one.id === id)?.name ?? '—';
  return (
    <div className="pb-12">
      <Facts isLoading={!integration}>
        <Fact name={t('starts.label')}>
          {integration && (
            <IntegrationTarget integration={integration} name={targetOf(integration)} />
          )}
        </Fact>
        <Fact name={t('integration.auth.label')}>
          {integration && t(`integration.auth.${method}`)}
        </Fact>
        {integration?.auth_header && (
          <Fact name={t('integration.auth.header')}>
            <code>{integration.auth_header}</code>
          </Fact>
        )}
        {integration && method !== 'none' && (
          <Fact name={t('integration.auth.secret')}>
            {nameOf(keys.data, integration.auth_secret_id)}
          </Fact>
        )}
        <Fact name={t('integration.sender.label')} wide>
          {t(`integration.sender.${method}`)}
        </Fact>
      </Facts>
    </div>
  );
}

function Searchable({ integration }: { integration: Integration | undefined }) {
  const update = useMutation(integrationResource.update());
  const { shown, ask, settle } = useOptimisticValue(integration?.searchable ?? false);
  const save = (searchable: boolean) => {
    if (!integration) return;
    ask(searchable);
    const params = { project_id: integration.project_id, integration_id: integration.id };
    const body = { ...integrationBody(integrationValues(integration)), searchable };
    update.mutate(
      { params, body, ifMatch: revisionOf(integration) },
      {
        onSuccess: () => toast(t('integration.saved', { name: integration.name })),
        onError: toastFailure,
        onSettled: settle,
      },
    );
  };
  return (
    <Checkbox
      style={{ padding: '0 0 24px' }}
      label={t('integration.searchable')}
      description={t('integration.searchable_hint')}
      disabled={!integration}
      checked={shown}
      onChange={(event) => save(event.currentTarget.checked)}
    />
  );
}
