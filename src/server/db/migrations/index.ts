// All migrations in their order. A released one is never edited.

import type { Migration } from 'kysely/migration';
import { start } from './0001-start.ts';
import { supervisor } from './0002-supervisor.ts';
import { builds } from './0003-builds.ts';
import { apps } from './0004-apps.ts';
import { queue } from './0005-queue.ts';
import { progress } from './0006-progress.ts';
import { environmentSecrets } from './0007-environment-secrets.ts';
import { userRevision } from './0008-user-revision.ts';
import { views } from './0009-views.ts';
import { events } from './0010-events.ts';
import { tokens } from './0011-tokens.ts';
import { schedules } from './0012-schedules.ts';
import { integrations } from './0013-integrations.ts';
import { alerts } from './0014-alerts.ts';
import { lists } from './0015-lists.ts';
import { options } from './0017-options.ts';
import { stats } from './0018-stats.ts';
import { secondFactor } from './0019-second-factor.ts';
import { identity } from './0020-identity.ts';
import { runners } from './0022-runners.ts';
import { runnerTags } from './0023-runner-tags.ts';
import { remoteRunners } from './0024-remote-runners.ts';
import { callCounts } from './0025-call-counts.ts';
import { signedRequests } from './0026-signed-requests.ts';
import { runnerName } from './0030-runner-name.ts';
import { taskParams } from './0034-task-params.ts';
import { boundSeals } from './0035-bound-seals.ts';
import { onceDue } from './0036-once-due.ts';
import { templateOptions } from './0037-template-options.ts';
import { projectRunners } from './0038-project-runners.ts';
import { userOptions } from './0039-user-options.ts';
import { clearCache } from './0040-clear-cache.ts';
import { workingDirectory } from './0041-working-directory.ts';
import { preparation } from './0042-preparation.ts';
import { taskResults } from './0043-task-results.ts';
import { gitHosts } from './0044-git-hosts.ts';
import { templatePins } from './0046-template-pins.ts';
import { runResults } from './0047-run-results.ts';
import { taskChanges } from './0048-task-changes.ts';
import { runAgain } from './0049-run-again.ts';
import { keepHome } from './0050-keep-home.ts';
import { taskPlans } from './0051-task-plans.ts';
import { hosts } from './0052-hosts.ts';
import { hostFacts } from './0053-host-facts.ts';
import { taskOutputs } from './0054-task-outputs.ts';
import { workflows } from './0055-workflows.ts';
import { startsOfWorkflows } from './0056-starts-of-workflows.ts';
import { alertsOfRuns } from './0057-alerts-of-runs.ts';
import { roomOfRunners } from './0058-room-of-runners.ts';
import { installationBackups } from './0060-installation-backups.ts';
import { limitsOfTasks } from './0059-limits-of-tasks.ts';
import { tracesOfTasks } from './0062-traces-of-tasks.ts';
import { credentialsOfRunners } from './0063-credentials-of-runners.ts';
import { taskFollowUps } from './0069-task-follow-ups.ts';
import { dryRuns } from './0074-dry-runs.ts';
import { failWithoutHosts } from './0075-fail-without-hosts.ts';
import { whoAskedForRuns } from './0076-who-asked-for-runs.ts';
import { secretAnswers } from './0077-secret-answers.ts';
import { restoredTemplates } from './0085-restored-templates.ts';
import { wholePlans } from './0086-whole-plans.ts';
import { spellingOfLogins } from './0095-users.ts';
import { hostConfigs } from './0096-host-configs.ts';

export const migrations: Record<string, Migration> = {
  '0001-start': start,
  '0002-supervisor': supervisor,
  '0003-builds': builds,
  '0004-apps': apps,
  '0005-queue': queue,
  '0006-progress': progress,
  '0007-environment-secrets': environmentSecrets,
  '0008-user-revision': userRevision,
  '0009-views': views,
  '0010-events': events,
  '0011-tokens': tokens,
  '0012-schedules': schedules,
  '0013-integrations': integrations,
  '0014-alerts': alerts,
  '0015-lists': lists,
  '0017-options': options,
  '0018-stats': stats,
  '0019-second-factor': secondFactor,
  '0020-identity': identity,
  '0022-runners': runners,
  '0023-runner-tags': runnerTags,
  '0024-remote-runners': remoteRunners,
  '0025-call-counts': callCounts,
  '0026-signed-requests': signedRequests,
  '0030-runner-name': runnerName,
  '0034-task-params': taskParams,
  '0035-bound-seals': boundSeals,
  '0036-once-due': onceDue,
  '0037-template-options': templateOptions,
  '0038-project-runners': projectRunners,
  '0039-user-options': userOptions,
  '0040-clear-cache': clearCache,
  '0041-working-directory': workingDirectory,
  '0042-preparation': preparation,
  '0043-task-results': taskResults,
  '0044-git-hosts': gitHosts,
  '0046-template-pins': templatePins,
  '0047-run-results': runResults,
  '0048-task-changes': taskChanges,
  '0049-run-again': runAgain,
  '0050-keep-home': keepHome,
  '0051-task-plans': taskPlans,
  '0052-hosts': hosts,
  '0053-host-facts': hostFacts,
  '0054-task-outputs': taskOutputs,
  '0055-workflows': workflows,
  '0056-starts-of-workflows': startsOfWorkflows,
  '0057-alerts-of-runs': alertsOfRuns,
  '0058-room-of-runners': roomOfRunners,
  '0059-limits-of-tasks': limitsOfTasks,
  '0060-installation-backups': installationBackups,
  '0062-traces-of-tasks': tracesOfTasks,
  '0063-credentials-of-runners': credentialsOfRunners,
  '0069-task-follow-ups': taskFollowUps,
  '0074-dry-runs': dryRuns,
  '0075-fail-without-hosts': failWithoutHosts,
  '0076-who-asked-for-runs': whoAskedForRuns,
  '0077-secret-answers': secretAnswers,
  '0085-restored-templates': restoredTemplates,
  '0086-whole-plans': wholePlans,
  '0095-users': spellingOfLogins,
  '0096-host-configs': hostConfigs,
};
