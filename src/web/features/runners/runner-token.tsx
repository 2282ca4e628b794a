import { useQuery } from '@tanstack/react-query';
import type { RunnerRegistration } from '#shared/api/runners.ts';
import { t, timeTag } from '../../lib/i18n.ts';
import { exactTime } from '../../lib/time.ts';
import { CopyBox } from '../../ui/buttons/copy.tsx';
import { systemQueries } from '../system/system.queries.ts';

export function RunnerToken({ token, expires }: Pick<RunnerRegistration, 'token' | 'expires'>) {
  const { data: info } = useQuery(systemQueries.info());
  const server = info?.web_host ?? window.location.origin;
  const copied = t('runner.command_copied');
  return (
    <div className="column gap-12">
      <p>{t('runner.token_text', { time: exactTime(expires, timeTag()) })}</p>
      <CopyBox text={token} label={t('runner.token')} copied={t('token.copied')} />
      <p>{t('runner.start_text')}</p>
      <h3 style={{ marginBottom: -6, fontSize: 'inherit' }}>{t('runner.program')}</h3>
      <CopyBox text={startProgram(server)} label={t('runner.program')} copied={copied} />
      <h3 style={{ marginBottom: -6, fontSize: 'inherit' }}>{t('runner.container')}</h3>
      <CopyBox text={startContainer(server)} label={t('runner.container')} copied={copied} />
      <p className="soft">{t('runner.enters')}</p>
    </div>
  );
}

/** The command for a runner as a program, in a folder that only the runner can read. */
const startProgram = (server: string): string =>
  [
    `SIGNALBOX_SERVER_URL=${server} \\`,
    'SIGNALBOX_RUNNER_TOKEN_FILE=runner-token \\',
    'SIGNALBOX_DATA_DIR=runner-data \\',
    'signalbox server',
  ].join('\n');

/**
 * The command with the image of `deploy/Dockerfile`. A runner serves no HTTP, so it has no health
 * check.
 */
const startContainer = (server: string): string =>
  [
    'docker run --detach --name signalbox-runner \\',
    '  --restart unless-stopped --no-healthcheck \\',
    `  --env SIGNALBOX_SERVER_URL=${server} \\`,
    '  --env SIGNALBOX_RUNNER_TOKEN_FILE=/runner-token \\',
    '  --volume "$PWD/runner-token:/runner-token:ro" \\',
    '  --volume signalbox-runner:/data \\',
    '  --cap-drop ALL --security-opt no-new-privileges \\',
    '  --cap-add SETUID --cap-add SETGID --cap-add CHOWN \\',
    '  --cap-add FOWNER --cap-add DAC_OVERRIDE \\',
    '  --cap-add KILL --cap-add SETPCAP \\',
    '  signalbox',
  ].join('\n');
