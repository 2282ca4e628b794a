import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconAlertTriangle, IconListTree } from '@tabler/icons-react';
import type { InventoryPreview as Preview, InventoryText } from '#shared/api/inventories.ts';
import { errorWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { Failure } from '../../ui/feedback/failure.tsx';
import { previewInventory } from './inventories.queries.ts';
import classes from './inventory-preview.module.css';

interface Props {
  projectId: number;
  type: InventoryText['type'];
  text: string;
}

/**
 * The hosts and groups that Ansible reads from a text; on request only, because it starts a
 * program.
 */
export function InventoryPreview({ projectId, type, text }: Props) {
  const preview = useMutation(previewInventory());
  const show = () =>
    preview.mutate({ params: { project_id: projectId }, body: { type, inventory: text } });
  return (
    <div className={`column items-start gap-8 pt-8 ${classes.preview}`}>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconListTree size={14} />}
        loading={preview.isPending}
        onClick={show}
      >
        {t('inventory.preview.show')}
      </Button>
      <Failure message={preview.error && errorWords(preview.error)} />
      <div aria-live="polite">{preview.data && <Found found={preview.data} />}</div>
    </div>
  );
}

function Found({ found }: { found: Preview }) {
  const { parsed, host_count: count, hosts, groups, messages } = found;
  const hostCount = t('inventory.preview.hosts', { count });
  const groupCount = t('inventory.preview.groups', { count: groups.length });
  return (
    <section
      className="column gap-6 small bg-sunken border rounded-6"
      style={{ padding: '10px 12px' }}
      aria-label={t('inventory.preview.title')}
    >
      <p className={`row gap-6 weight-600 ${classes.title}`} data-failed={!parsed || undefined}>
        {!parsed && <IconAlertTriangle size={16} aria-hidden="true" />}
        {parsed ? `${hostCount}, ${groupCount}` : t('inventory.preview.failed')}
      </p>
      {messages.map((message, index) => (
        <p key={index} className="mono break pre-wrap">
          {message}
        </p>
      ))}
      {parsed && count === 0 && <p className="soft">{t('inventory.preview.empty')}</p>}
      <Families groups={groups} />
      {hosts.length > 0 && <Hosts hosts={hosts} groups={groups} />}
      {hosts.length < count && (
        <p className="soft">{t('inventory.preview.more', { count: hosts.length })}</p>
      )}
    </section>
  );
}

function Families({ groups }: Pick<Preview, 'groups'>) {
  return groups
    .filter(({ children }) => children.length > 0)
    .map(({ name, children }) => (
      <p key={name} className="soft break">
        {t('inventory.preview.contains', { name, children: children.join(', ') })}
      </p>
    ));
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function Hosts({ hosts, groups }: Pick<Preview, 'hosts' | 'groups'>) {
  const groupsOf = new Map<string, string[]>();
  for (const { name, hosts: members } of groups) {
    for (const host of members) groupsOf.set(host, [...(groupsOf.get(host) ?? []), name]);
  }
  return (
    <table className={`w-full ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('inventory.preview.host')}</th>
          <th scope="col">{t('inventory.preview.in_groups')}</th>
          <th scope="col">{t('inventory.preview.variables')}</th>
        </tr>
      </thead>
      <tbody>
        {hosts.map(({ name, variables }) => (
          <tr key={name}>
            <td className="mono">{name}</td>
            <td>{groupsOf.get(name)?.join(', ') ?? '—'}</td>
            <td className="mono soft">
              {Object.entries(variables)
                .map(([key, value]) => `${key}=${shown(value)}`)
                .join(' ') || '—'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
