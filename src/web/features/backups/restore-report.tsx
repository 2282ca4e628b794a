import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Restored } from '#shared/api/backups.ts';
import { fieldWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';

export function RestoreReport({ made, onOpen }: { made: Restored; onOpen: () => void }) {
  const { id, empty_keys: keys, empty_secrets: secrets, alert_channels: channels } = made;
  const { new_aliases: aliases, notes } = made;
  const to = (path: string) => `/project/${id}/${path}`;
  return (
    <div className="column items-start gap-14">
      <p className="row gap-6 weight-600 color-success">
        <IconCircleCheck size={18} aria-hidden="true" />
        {t('restore.done', { name: made.name })}
      </p>
      <Part title={t('restore.empty_keys')}>
        {keys.map(({ id: keyId, name }) => (
          <Link key={keyId} to={to('keys')} search={{ edit: keyId }} target="_blank">
            {name}
          </Link>
        ))}
      </Part>
      <Part title={t('restore.empty_secrets')}>
        {secrets.map(({ environment_id: environmentId, environment, type, name }) => (
          <Link
            key={`${environmentId} ${type} ${name}`}
            to={to('environment')}
            search={{ edit: environmentId }}
            target="_blank"
          >
            {`${environment}: ${name}`}
          </Link>
        ))}
      </Part>
      <Part title={t('restore.alert_channels')}>
        {channels.map(({ id: channelId, name }) => (
          <span key={channelId}>{name}</span>
        ))}
      </Part>
      <Part title={t('restore.new_aliases')}>
        {aliases.map(({ id: aliasId, integration, url }) => (
          <span key={aliasId}>
            {integration ?? made.name}: <code>{url}</code>
          </span>
        ))}
      </Part>
      <Part title={t('restore.notes')}>
        {notes.map((note, index) => (
          <RestoreNote key={index} note={note} />
        ))}
      </Part>
      <Button onClick={onOpen} data-autofocus>
        {t('restore.open')}
      </Button>
    </div>
  );
}

function RestoreNote({ note: { code, params, path, error } }: { note: Restored['notes'][number] }) {
  return (
    <>
      {t(`restore_notes.${code}`, params)}
      {error && (
        <div className="soft">
          <code className="color-danger">{path}</code>{' '}
          {fieldWords(error.code, error.params, error.message)}
        </div>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section className="w-full">
      <h3 className="row gap-6 pb-4 text-14 weight-600">
        <IconAlertTriangle size={16} aria-hidden="true" />
        {title}
      </h3>
      <ul className="break">
        {children.map((child, index) => (
          <li key={index} style={{ paddingBlock: 2 }}>
            {child}
          </li>
        ))}
      </ul>
    </section>
  );
}
