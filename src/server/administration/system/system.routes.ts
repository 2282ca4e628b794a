import { system } from '#shared/api/system.ts';
import { roleInfos } from '#shared/permissions.ts';
import type { Http } from '../../http/serve.ts';
import type { DiskWatch } from './disk-watch.ts';
import type { StallWatch } from '../../../runner/system/stall-watch.ts';
import { seeFigures, type TraitsOf } from './figures.ts';
import { checkHealth, type RunnerHealth } from './health.ts';
import { missingPrograms } from '../../../runner/system/programs.ts';
import { version } from '../../../runner/system/version.ts';

export interface SystemParts {
  document: () => { openapi: string };
  ansibleVersion: () => string;
  /** The time zone of schedules without one. */
  scheduleZone: string;
  runnerHealth: () => RunnerHealth;
  traitsOf: TraitsOf;
  disk: DiskWatch;
  stalls: StallWatch;
}

export function systemRoutes(
  http: Http,
  { document, ansibleVersion, scheduleZone, runnerHealth, traitsOf, disk, stalls }: SystemParts,
): void {
  http.serve(system.ping, () => 'pong');
  http.serve(system.health, async ({ ctx }) =>
    checkHealth(ctx, runnerHealth(), { ...(await disk.room()), isSlow: stalls.isSlow }),
  );
  http.serve(system.figures, ({ ctx }) => seeFigures(ctx, traitsOf));
  http.serve(system.openapi, () => document());
  http.serve(system.info, async ({ ctx, request }) => ({
    version,
    ansible: ansibleVersion(),
    web_host: ctx.config.publicUrl ?? `${request.protocol}://${request.host}`,
    use_remote_runner: ctx.config.role === 'web',
    auth_methods: { totp: { allow_recovery: true } },
    schedule_timezone: scheduleZone,
    roles: roleInfos,
    premium_features: {},
    missing_programs: await missingPrograms(ctx.config),
    alerts: {
      mail: ctx.config.alerts.smtpUrl !== null,
      telegram: ctx.config.alerts.telegramToken !== null,
    },
  }));
}
