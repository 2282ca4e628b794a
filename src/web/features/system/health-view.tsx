import { useQuery } from '@tanstack/react-query';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { healthParts, type HealthState, type HealthStates } from '#shared/api/system.ts';
import { QueryFailure } from '../../resources/query-failure.tsx';
import { t, t as translate } from '../../lib/i18n.ts';
import { TimeAgo } from '../../lib/time-text.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Card } from '../../ui/page/card.tsx';
import { type ChipStyles, StateChip } from '../../ui/feedback/state-chip.tsx';
import { BackgroundJobs, Fact, Figures, RunnerFigures } from './figures-view.tsx';
import { healthOfError } from './health-states.ts';
import { RecentFigures } from './recent-figures.tsx';
import { systemQueries } from './system.queries.ts';

const looks: ChipStyles<HealthState> = {
  ok: { tone: 'success', icon: <IconCircleCheck size={15} /> },
  off: { tone: 'neutral', icon: <IconCircleMinus size={15} /> },
  new: { tone: 'neutral', icon: <IconInfoCircle size={15} /> },
  low: { tone: 'warning', icon: <IconAlertTriangle size={15} /> },
  late: { tone: 'warning', icon: <IconAlertTriangle size={15} /> },
  wrong: { tone: 'warning', icon: <IconAlertTriangle size={15} /> },
  silent: { tone: 'warning', icon: <IconAlertTriangle size={15} /> },
  slow: { tone: 'warning', icon: <IconAlertTriangle size={15} /> },
  full: { tone: 'danger', icon: <IconCircleX size={15} /> },
  failed: { tone: 'danger', icon: <IconCircleX size={15} /> },
};

export function HealthView() {
  return (
    <>
      <div className="pt-10" style={{ maxWidth: 1080 }}>
        <RecentFigures />
      </div>
      <div
        className="grid items-start gap-12 pt-10"
        style={{
          gridTemplateColumns: 'repeat(auto-fit, minmax(min(380px, 100%), 1fr))',
          maxWidth: 1080,
        }}
      >
        <div className="column gap-12 min-w-0">
          <Parts />
          <Server />
        </div>
        <Figures />
      </div>
      <RunnerFigures />
      <BackgroundJobs />
    </>
  );
}

function Parts() {
  const { data, error, refetch, dataUpdatedAt, errorUpdatedAt } = useQuery(systemQueries.health());
  const down = healthOfError(error);
  const health = down ?? (error ? null : data);
  const asked = Math.max(dataUpdatedAt, errorUpdatedAt);
  return (
    <Card
      title={t('health.parts')}
      note={asked > 0 && <TimeAgo time={new Date(asked).toISOString()} />}
    >
      {error && !down && <QueryFailure error={error} refetch={refetch} />}
      <dl className="column" aria-live="polite">
        {healthParts.map((part) => {
          const state = health?.[part];
          return (
            <Fact key={part} name={t(`health.part.${part}`)} hint={t(`health.hint.${part}`)}>
              {state ? (
                <StateChip state={state} looks={looks} words={(known) => stateWords(part, known)} />
              ) : (
                <Skeleton width={70} />
              )}
            </Fact>
          );
        })}
      </dl>
    </Card>
  );
}

/** A failure of these parts does not mean that a part of the server is down. */
function stateWords(part: keyof HealthStates, state: HealthState): string {
  if (part === 'follow_ups' && state === 'failed') return translate('health.follow_ups_failed');
  if (part === 'control_groups' && state === 'off')
    return translate('health.control_groups_state.off');
  if (part === 'ansible' && state === 'off') return translate('health.ansible_state.off');
  if (part === 'proxies' && state === 'wrong') return translate('health.proxies_state.wrong');
  const isOwn = part === 'backups' && (state === 'off' || state === 'late' || state === 'failed');
  return isOwn ? translate(`health.backups_state.${state}`) : translate(`health.state.${state}`);
}

function Server() {
  const { data: info, error, refetch } = useQuery(systemQueries.info());
  if (error && !info) {
    return <QueryFailure error={error} refetch={refetch} />;
  }
  const facts: [name: string, value: ReactNode][] = info
    ? [
        [t('health.version'), <code key="version">{info.version}</code>],
        [
          t('health.address'),
          <a key="address" href={info.web_host}>
            {info.web_host}
          </a>,
        ],
        // `ansible --version` prints several lines.
        [t('health.ansible'), info.ansible.split('\n')[0] || t('app.unavailable_short')],
        [t('health.missing'), info.missing_programs.join(', ') || t('health.none')],
        [t('health.mail'), info.alerts.mail ? t('health.set_up') : t('health.not_set_up')],
        [t('health.telegram'), info.alerts.telegram ? t('health.set_up') : t('health.not_set_up')],
      ]
    : [];
  return (
    <Card title={t('health.server')}>
      <dl className="column">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
    </Card>
  );
}
