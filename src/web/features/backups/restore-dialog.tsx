import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconAlertTriangle, IconCircleCheck, IconFileUpload } from '@tabler/icons-react';
import { type ChangeEvent, type ReactNode, useRef, useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { Restored, RestoreDocument } from '#shared/api/backups.ts';
import { ApiError } from '../../lib/api.ts';
import { errorWords, fieldWords, requestIdOf } from '../../lib/error-words.ts';
import { t, t as words } from '../../lib/i18n.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { toast, toastError } from '../../ui/feedback/toast.ts';
import { restoreProject } from './backups.queries.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  onOpen: (projectId: number) => void;
}

/** Restores a project from a backup, and lists the secrets that are still missing. */
export function RestoreDialog({ opened, onClose, onOpen }: Props) {
  const [made, setMade] = useState<Restored | null>(null);
  const close = () => {
    onClose();
    setMade(null);
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={t('restore.title')}
      size={640}
      help="project_backup"
    >
      {made ? (
        <RestoreReport
          made={made}
          onOpen={() => {
            close();
            onOpen(made.id);
          }}
        />
      ) : (
        <ChooseFile onRestored={setMade} />
      )}
    </Dialog>
  );
}

async function read(file: File): Promise<RestoreDocument> {
  const { name } = file;
  let document: unknown;
  try {
    document = JSON.parse(await file.text());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    throw new Error(words('restore.no_json', { name, reason }), { cause });
  }
  if (!isBackup(document)) throw new Error(words('restore.no_backup', { name }));
  return document;
}

const isBackup = (document: unknown): document is RestoreDocument =>
  typeof document === 'object' && document !== null && 'meta' in document;

function ChooseFile({ onRestored }: { onRestored: (made: Restored) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const { mutateAsync } = useMutation(restoreProject());
  const restore = useMutation({
    mutationFn: async (file: File) => mutateAsync({ body: await read(file) }),
    onSuccess: (made) => {
      toast(t('project.created', { name: made.name }));
      onRestored(made);
    },
    // The dialog lists the reasons, so the toast has only the sentence.
    onError: (error) => toastError(refusalWords(error)),
  });
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.currentTarget.files ?? [];
    event.currentTarget.value = '';
    if (file) restore.mutate(file);
  };
  return (
    <div className="column items-start gap-14">
      <p>{t('restore.text')}</p>
      {restore.error && <Refusal error={restore.error} />}
      <Button
        leftSection={<IconFileUpload size={16} />}
        loading={restore.isPending}
        onClick={() => input.current?.click()}
        data-autofocus
      >
        {t('restore.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t('restore.choose')}
        onChange={choose}
      />
    </div>
  );
}

const MAX_ERRORS = 50;

const faultsOf = (error: Error) => (error instanceof ApiError && error.body.fields) || [];

function refusalWords(error: Error): string {
  const count = faultsOf(error).length;
  return count > 0 ? words('restore.wrong', { count }) : errorWords(error);
}

function Refusal({ error }: { error: Error }) {
  const fields = faultsOf(error);
  return (
    <div className="w-full">
      <Failure message={refusalWords(error)} requestId={requestIdOf(error)} />
      {fields.length > 0 && (
        <ul className="column gap-6 pt-10 break">
          {fields.slice(0, MAX_ERRORS).map(({ path, code, params, message }, index) => (
            <li key={index}>
              <code className="color-danger">{path || '/'}</code>{' '}
              {fieldWords(code, params, message)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function RestoreReport({ made, onOpen }: { made: Restored; onOpen: () => void }) {
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
