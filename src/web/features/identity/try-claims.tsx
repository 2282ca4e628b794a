import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { GroupRule, TriedClaims } from '#shared/api/identity.ts';
import { Select } from '../../ui/forms/select.ts';
import { errorWords } from '../../lib/error-words.ts';
import { t } from '../../lib/i18n.ts';
import { CodeEditor } from '../../ui/code/code-editor.tsx';
import { Failure } from '../../ui/feedback/failure.tsx';
import { Section } from '../../ui/page/section.tsx';
import { identityQueries, tryClaims } from './identity.queries.ts';
import { gives, sourceChoices } from './rule-words.ts';

const example = '{\n  "groups": ["ops"]\n}';

function readClaims(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

export function TryClaims() {
  const { data: providers } = useQuery(identityQueries.providers());
  const { data: rules } = useQuery(identityQueries.rules());
  const [source, setSource] = useState('any');
  const [text, setText] = useState(example);
  const [isWrong, setWrong] = useState(false);
  const attempt = useMutation(tryClaims());
  const run = () => {
    const claims = readClaims(text);
    setWrong(claims === null);
    if (claims) attempt.mutate({ body: { source, claims } });
  };
  return (
    <Section title={t('identity.try')} text={t('identity.try_text')}>
      <div className="column gap-14" style={{ maxWidth: 640 }}>
        <Select
          label={t('identity.source')}
          data={sourceChoices(providers)}
          value={source}
          onChange={(value) => setSource(value ?? 'any')}
          allowDeselect={false}
        />
        <CodeEditor
          label={t('identity.claims')}
          language="json"
          value={text}
          onChange={setText}
          rows={4}
          error={isWrong && t('fields.field.json_object')}
        />
        <div>
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={16} />}
            loading={attempt.isPending}
            onClick={run}
          >
            {t('identity.try_action')}
          </Button>
        </div>
        <Failure message={attempt.error && errorWords(attempt.error)} />
        <div aria-live="polite">
          {attempt.data && <Outcome outcome={attempt.data} rules={rules ?? []} />}
        </div>
      </div>
    </Section>
  );
}

function Outcome({ outcome, rules }: { outcome: TriedClaims; rules: GroupRule[] }) {
  const { administrator, roles, grants } = outcome;
  const given = [...roles.map((one) => ({ ...one, object_name: null })), ...grants];
  const isNothing = !administrator && given.length === 0;
  return (
    <>
      <ul className="weight-600" style={{ paddingLeft: 20 }}>
        {isNothing && <li>{t('identity.nothing')}</li>}
        {administrator && <li>{t('identity.administrator')}</li>}
        {given.map((one) => (
          <li key={one.rule_id}>{gives(one)}</li>
        ))}
      </ul>
      <ul className="soft break" style={{ margin: '8px 0 0', paddingLeft: 20 }}>
        {outcome.rules.map(({ rule_id: id, reason, value }) => {
          const rule = rules.find((one) => one.id === id);
          return (
            rule && (
              <li key={id}>
                <span className="mono">{rule.pattern}</span>
                {` → ${gives(rule)}: ${t(`identity.reason.${reason}`)} `}
                {value && <span className="mono">{value}</span>}
              </li>
            )
          );
        })}
      </ul>
    </>
  );
}
