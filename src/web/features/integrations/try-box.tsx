import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { DeliveryRequest, Trial } from '#shared/api/deliveries.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { errorWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { Chip } from '../../ui/feedback/chip.tsx';
import { CodeEditor } from '../../ui/code/code-editor.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { FormSkeleton } from '../../ui/feedback/skeleton.tsx';
import { integrationQueries, type IntegrationRef, tryRequest } from './integrations.queries.ts';
import { reasonWords } from './integration-words.ts';
import { headersText, readHeaders } from './request-text.ts';
import classes from './try-box.module.css';

interface Props {
  place: IntegrationRef;
  from: number | null;
}

export function TryBox({ place, from }: Props) {
  const { data, error, refetch } = useQuery({
    ...integrationQueries.delivery(place, from ?? 0),
    enabled: from !== null,
    staleTime: Infinity,
  });
  if (from === null) return <TryForm place={place} request={null} />;
  if (data) return <TryForm key={data.id} place={place} request={data.request} />;
  if (error) return <QueryFailure error={error} refetch={refetch} />;
  return <FormSkeleton fields={2} />;
}

function TryForm({ place, request }: { place: IntegrationRef; request: DeliveryRequest | null }) {
  const attempt = useMutation(tryRequest());
  const [headers, setHeaders] = useState(request ? headersText(request.headers) : '');
  const [body, setBody] = useState(request?.body ?? '');
  const [wrongLine, setWrongLine] = useState(0);
  const run = () => {
    const read = readHeaders(headers);
    setWrongLine(read.wrongLine);
    if (read.wrongLine > 0) return;
    const params = { project_id: place.projectId, integration_id: place.integrationId };
    attempt.mutate({ params, body: { headers: read.headers, body } });
  };
  return (
    <div className={`grid pt-16 ${classes.box}`}>
      <form
        className="column gap-14"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <p className="soft">{t('try.text')}</p>
        <Textarea
          label={t('delivery.headers')}
          description={t('try.headers_hint')}
          placeholder={'X-GitHub-Event: push'}
          classNames={{ input: 'smaller font-mono' }}
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          autoComplete="off"
          value={headers}
          onChange={(event) => setHeaders(event.currentTarget.value)}
          error={wrongLine > 0 ? t('try.wrong_header', { line: wrongLine }) : null}
        />
        <CodeEditor
          label={t('delivery.body')}
          language="json"
          rows={10}
          value={body}
          onChange={setBody}
        />
        <div>
          <Button type="submit" loading={attempt.isPending}>
            {t('try.run')}
          </Button>
        </div>
      </form>
      <section
        className="bg-sunken border rounded-8"
        style={{ alignSelf: 'start', padding: '14px 18px 18px' }}
        aria-label={t('try.result')}
        aria-live="polite"
      >
        {attempt.error ? (
          <Failure message={errorWords(attempt.error)} />
        ) : attempt.data ? (
          <Result trial={attempt.data} />
        ) : (
          <p className="soft">{t('try.empty')}</p>
        )}
      </section>
    </div>
  );
}

function Result({ trial }: { trial: Trial }) {
  const { matches, reason, matchers, values, git_branch: branch, missing } = trial;
  // Whether the reason is not already shown beside a matcher.
  const isOwnReason = matches || matchers.every((matcher) => matcher.reason === null);
  return (
    <>
      <Chip
        tone={matches ? 'success' : 'neutral'}
        icon={matches ? <IconCheck size={15} /> : <IconX size={15} />}
      >
        {matches ? t('try.matches') : t('try.matches_not')}
      </Chip>
      {isOwnReason && <p className="pt-8">{reasonWords(reason)}</p>}
      <h3 className="smaller weight-550 soft" style={{ padding: '16px 0 4px' }}>
        {t('matcher.list')}
      </h3>
      {matchers.length === 0 && <p>{t('matcher.none')}</p>}
      <ul aria-label={t('matcher.list')}>
        {matchers.map((matcher) => (
          <MatcherResult key={matcher.id} matcher={matcher} />
        ))}
      </ul>
      {matches && (
        <>
          <h3 className="smaller weight-550 soft" style={{ padding: '16px 0 4px' }}>
            {t('extract_value.list')}
          </h3>
          {branch === null && Object.keys(values).length + missing.length === 0 && (
            <p>{t('extract_value.none')}</p>
          )}
          <dl
            className="grid gap-4-16"
            style={{ gridTemplateColumns: 'minmax(0, auto) minmax(0, 1fr)' }}
          >
            {branch !== null && <Value label={t('try.branch')} value={branch} />}
            {Object.entries(values).map(([name, value]) => (
              <Value key={name} label={<code>{name}</code>} value={value} />
            ))}
            {missing.map((name) => (
              <Value key={name} label={<code>{name}</code>} value={null} />
            ))}
          </dl>
        </>
      )}
    </>
  );
}

function MatcherResult({ matcher: { name, reason } }: { matcher: Trial['matchers'][number] }) {
  return (
    <li className={`flex gap-8 py-4 ${classes.matcher}`}>
      {reason === null ? (
        <IconCheck size={16} className="color-success" aria-hidden="true" />
      ) : (
        <IconX size={16} className="color-danger" aria-hidden="true" />
      )}
      <span className="break">
        {reason === null ? t('try.matcher_fits', { name }) : reasonWords(reason)}
      </span>
    </li>
  );
}

function Value({ label, value }: { label: ReactNode; value: string | null }) {
  return (
    <>
      <dt className="break">{label}</dt>
      <dd className="break">
        {value === null ? <span className="soft">{t('try.missing')}</span> : <code>{value}</code>}
      </dd>
    </>
  );
}
