import { Button, Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { lazy, type ReactNode } from 'react';
import type { Integration } from '#shared/api/integrations.ts';
import { revisionOf } from '../../lib/api.ts';
import { errorWords } from '../../lib/error-words.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useAsked } from '../../lib/use-asked.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import type { EditAddress } from '../../ui/forms/edit-dialog.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { OnceOpened } from '../../ui/dialogs/once-opened.tsx';
import { Page } from '../../ui/page/page.tsx';
import { TabLinks } from '../../ui/page/tab-links.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { keyQueries } from '../keys/keys.queries.ts';
import { templateQueries } from '../templates/templates.queries.ts';
import { IntegrationAliases } from './alias-list.tsx';
import { methodWords } from './integration-words.ts';
import { TemplateLink, useIntegrationDelete } from './integration-list.tsx';
import classes from './integration-page.module.css';
import { integrationBody, integrationValues } from './integration-values.ts';
import { integrationQueries, type Place, updateIntegration } from './integrations.queries.ts';
import { MatcherList } from './matcher-list.tsx';
import { ValueList } from './value-list.tsx';

const IntegrationDialog = lazy(async () => ({
  default: (await import('./integration-dialog.tsx')).IntegrationDialog,
}));

const integrationTabs = ['settings', 'deliveries', 'try'] as const;

interface Props {
  place: Place;
  mayManage: boolean;
  /** Which dialog edits the integration itself; `edit` in the address. */
  address: EditAddress;
  valueAddress: EditAddress;
  matcherAddress: EditAddress;
  tab: (typeof integrationTabs)[number];
  /** What the other tabs show. */
  children: ReactNode;
  onDeleted: () => void;
}

export function IntegrationPage(props: Props) {
  const { place, mayManage, address, tab, children, onDeleted } = props;
  const { projectId } = place;
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(integrationQueries.one(place));
  const deletion = useIntegrationDelete(projectId, onDeleted);
  const above = (
    <nav aria-label={t('common.breadcrumb')}>
      <Link to="/project/$projectId/integrations" params={{ projectId }}>
        {t('integration.list')}
      </Link>
    </nav>
  );
  if (error && !data) {
    return (
      <Page title={t('integration.one')} above={above}>
        <Failure message={errorWords(error)} onRetry={() => void refetch()} />
      </Page>
    );
  }
  const actions = mayManage && data && (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} />}
        onClick={() => deletion.ask(data)}
      >
        {t('common.delete')}
      </Button>
      <Button leftSection={<IconPencil size={16} />} onClick={() => address.onEdit(data.id)}>
        {t('common.edit')}
      </Button>
    </>
  );
  const tabs = integrationTabs.map((key) => ({ key, title: t(`integration.tab.${key}`) }));
  return (
    <Page
      title={data?.name ?? t('integration.one')}
      above={above}
      actions={actions}
      // Only those who may change integrations see deliveries and aliases.
      tabs={mayManage && <TabLinks tabs={tabs} />}
    >
      {tab === 'settings' || !mayManage ? <Settings {...props} integration={data} /> : children}
      <OnceOpened opened={address.edit !== null}>
        <IntegrationDialog
          projectId={projectId}
          edit={address.edit}
          onClose={() => address.onEdit(null)}
        />
      </OnceOpened>
      {deletion.dialog}
    </Page>
  );
}

function Settings(props: Props & { integration: Integration | undefined }) {
  const { place, mayManage, integration, valueAddress, matcherAddress } = props;
  return (
    <div className={classes.settings}>
      <Facts projectId={place.projectId} integration={integration} />
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

function Facts({
  projectId,
  integration,
}: {
  projectId: number;
  integration: Integration | undefined;
}) {
  const { t } = useTranslation();
  const templates = useQuery(templateQueries.list(projectId));
  const keys = useQuery(keyQueries.list(projectId));
  const method = methodWords(integration?.auth_method ?? '');
  const nameOf = (list: { id: number; name: string }[] | undefined, id: number | null) =>
    list?.find((one) => one.id === id)?.name ?? '—';
  const fact = (name: string, value: (integration: Integration) => ReactNode) => (
    <div>
      <dt>{name}</dt>
      <dd className="break">{integration ? value(integration) : <Skeleton width={110} />}</dd>
    </div>
  );
  return (
    <dl className={classes.facts}>
      {fact(t('integration.template'), ({ template_id: id }) => (
        <TemplateLink projectId={projectId} id={id} name={nameOf(templates.data, id)} />
      ))}
      {fact(t('integration.auth.label'), () => t(`integration.auth.${method}`))}
      {integration?.auth_header &&
        fact(t('integration.auth.header'), () => <code>{integration.auth_header}</code>)}
      {method !== 'none' &&
        fact(t('integration.auth.secret'), ({ auth_secret_id: id }) => nameOf(keys.data, id))}
      <div className={classes.sender}>
        <dt>{t('integration.sender.label')}</dt>
        <dd>{t(`integration.sender.${method}`)}</dd>
      </div>
    </dl>
  );
}

/** The checkbox saves on change. */
function Searchable({ integration }: { integration: Integration | undefined }) {
  const { t } = useTranslation();
  const update = useMutation(updateIntegration());
  const { shown, ask, settle } = useAsked(integration?.searchable ?? false);
  const save = (searchable: boolean) => {
    if (!integration) return;
    ask(searchable);
    const params = { project_id: integration.project_id, integration_id: integration.id };
    const body = { ...integrationBody(integrationValues(integration)), searchable };
    update.mutate(
      { params, body, ifMatch: revisionOf(integration) },
      {
        onSuccess: () => toast(t('integration.saved', { name: integration.name })),
        onError: (error) => toastError(errorWords(error)),
        onSettled: settle,
      },
    );
  };
  return (
    <Checkbox
      className={classes.searchable ?? ''}
      label={t('integration.searchable')}
      description={t('integration.searchable_hint')}
      disabled={!integration}
      checked={shown}
      onChange={(event) => save(event.currentTarget.checked)}
    />
  );
}
