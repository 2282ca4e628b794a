import { system } from '#shared/api/system.ts';
import { roleInfos } from '#shared/rights.ts';
import type { Http } from '../../http/serve.ts';
import { getFigures, type FigureSources } from './system-stats.ts';
import type { HealthWatch } from './health.ts';
import { missingPrograms } from '../../../node/process/installed-programs.ts';
import { version } from '../../../node/process/version.ts';

export interface SystemParts {
  document: () => Promise<string>;
  ansibleVersion: () => string;
  /** The time zone of schedules without one. */
  scheduleZone: string;
  health: HealthWatch;
  figures: FigureSources;
}

export function systemRoutes(
  http: Http,
  { document, ansibleVersion, scheduleZone, health, figures }: SystemParts,
): void {
  http.serve(system.ping, () => 'pong');
  http.serve(system.health, () => health.check());
  http.serve(system.figures, async ({ ctx }) => ({
    ...(await getFigures(ctx, figures)),
    recent: health.recentFigures,
  }));
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
    missing_programs: missingPrograms(ctx.config),
    alerts: {
      mail: ctx.config.alerts.smtpUrl !== null,
      telegram: ctx.config.alerts.telegramToken !== null,
    },
  }));
}
