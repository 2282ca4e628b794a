// Unknown fields of bodies are refused: one that was ignored could have been what made a call safe.

import { expect, test } from 'vitest';
import { endpoints } from '#shared/api/index.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { testApp } from './helpers/app.ts';
import { everyId } from './helpers/every-id.ts';
import { urlOf } from './helpers/odd-requests.ts';
import { samples } from './helpers/samples.ts';

const wholeThing = 'clients send a thing back as they read it, with what is only shown of it';
const program = 'runners of later versions may tell more than this server knows';

/** Endpoints that may ignore unknown fields, with the reason. Launches never may. */
const silent: Record<string, string> = {
  'session.signIn': wholeThing,
  'session.verify': wholeThing,
  'session.recover': wholeThing,
  'users.create': wholeThing,
  'users.update': wholeThing,
  'users.password': wholeThing,
  'users.setOption': wholeThing,
  'projects.create': wholeThing,
  'projects.update': wholeThing,
  'apps.create': wholeThing,
  'apps.update': wholeThing,
  'apps.switch': wholeThing,
  'members.create': wholeThing,
  'members.update': wholeThing,
  'grants.update': wholeThing,
  'projectRoles.create': wholeThing,
  'projectRoles.update': wholeThing,
  'installationRoles.create': wholeThing,
  'installationRoles.update': wholeThing,
  'keys.create': wholeThing,
  'keys.create.login_password': wholeThing,
  'keys.create.ssh': wholeThing,
  'keys.update': wholeThing,
  'keys.update.login_password': wholeThing,
  'keys.update.ssh': wholeThing,
  'hostConfigs.create': wholeThing,
  'hostConfigs.update': wholeThing,
  'executionEnvironments.create': wholeThing,
  'executionEnvironments.create.mounts.*': wholeThing,
  'executionEnvironments.patch.mounts.*': wholeThing,
  'executionEnvironments.update': wholeThing,
  'executionEnvironments.update.mounts.*': wholeThing,
  'installationEnvironments.create': wholeThing,
  'installationEnvironments.create.mounts.*': wholeThing,
  'installationEnvironments.patch.mounts.*': wholeThing,
  'installationEnvironments.update': wholeThing,
  'installationEnvironments.update.mounts.*': wholeThing,
  'repositories.create': wholeThing,
  'repositories.update': wholeThing,
  'repositories.branches': wholeThing,
  'inventories.create': wholeThing,
  'inventories.update': wholeThing,
  'environments.create': wholeThing,
  'environments.create.secrets.*': wholeThing,
  'environments.update': wholeThing,
  'environments.update.secrets.*': wholeThing,
  'views.create': wholeThing,
  'views.update': wholeThing,
  'workflows.create': wholeThing,
  'workflows.update': wholeThing,
  'templates.create': wholeThing,
  'templates.create.survey_vars.*': wholeThing,
  'templates.create.survey_vars.*.values.*': wholeThing,
  'templates.create.vaults.*': wholeThing,
  'templates.update': wholeThing,
  'templates.update.survey_vars.*': wholeThing,
  'templates.update.survey_vars.*.values.*': wholeThing,
  'templates.update.vaults.*': wholeThing,
  'integrations.create': wholeThing,
  'integrations.update': wholeThing,
  'extractValues.create': wholeThing,
  'extractValues.update': wholeThing,
  'matchers.create': wholeThing,
  'matchers.update': wholeThing,
  'schedules.create': wholeThing,
  'schedules.update': wholeThing,
  'schedules.switch': wholeThing,
  'schedules.validate': wholeThing,
  'alertChannels.create': wholeThing,
  'alertChannels.update': wholeThing,
  'groupRules.create': wholeThing,
  'groupRules.update': wholeThing,
  'options.set': wholeThing,
  'runners.create': wholeThing,
  'runners.update': wholeThing,
  'runners.switch': wholeThing,
  'projectRunners.create': wholeThing,
  'projectRunners.update': wholeThing,
  'projectRunners.switch': wholeThing,
  'keys.patch.login_password': wholeThing,
  'keys.patch.ssh': wholeThing,
  'environments.patch.secrets.*': wholeThing,
  'templates.patch.survey_vars.*': wholeThing,
  'templates.patch.survey_vars.*.values.*': wholeThing,
  'templates.patch.vaults.*': wholeThing,
  'runnerApi.reportInspection': program,
  'runnerApi.reportInspection.seen': program,
  'runnerApi.log': program,
  'runnerApi.log.lines.*': program,
  'runnerApi.poll': program,
  'runnerApi.poll.held.*': program,
  'runnerApi.report': program,
  'runnerApi.report.report': program,
  'runnerApi.delegate': program,
  'runnerApi.task': program,
  'runnerApi.secrets': program,
  'runnerApi.filterExisting': program,
  'runnerApi.register': program,
  'runnerApi.register.public_key': program,
};

/** Objects whose field names the caller chooses. */
const ownNames = ['views.place', 'identity.try.claims', 'deliveries.try.headers'];

// These endpoints end the session or the rights of the caller.
const ends = ['session.signOut', 'session.revoke'];

test('a field that an endpoint does not know is refused by its name, where it is not listed', async () => {
  const app = await testApp();
  const ids = await everyId(app, app.admin);
  const taken: string[] = [];
  const refused: string[][] = [];
  const places: string[][] = [];
  for (const { name, endpoint } of endpoints) {
    const body = samples(ids)[name];
    if (!body || endpoint.webhook || ends.includes(name)) continue;
    for (const [at, changed] of withUnknown(body)) {
      const place = `${name}${at}`;
      if (ownNames.includes(place)) continue;
      const { body: text } = await app.admin.raw({
        method: endpoint.method,
        url: urlOf(endpoint.path, { params: ids, query: {} } as never),
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(changed),
      });
      const { fields = [] } = (text ? JSON.parse(text) : {}) as Partial<ErrorBody>;
      const refusal = fields.find(({ code }) => code === 'field.unknown');
      if (refusal) refused.push([place, refusal.path]);
      else taken.push(place);
      places.push([place, pathOf(at)]);
    }
  }
  // The answer names the place of the field.
  expect(refused).toEqual(places.filter(([place = '']) => !taken.includes(place)));
  expect(taken.toSorted()).toEqual(Object.keys(silent).toSorted());
});

// The first entry of a list is tested.
const pathOf = (at: string): string => `${at}.nobody_knows`.slice(1).replaceAll('*', '0');

/** The body with an unknown field, once at each depth. */
function* withUnknown(body: object, at = ''): Generator<[at: string, body: object]> {
  if (Array.isArray(body)) {
    const [first, ...others] = body as unknown[];
    if (typeof first !== 'object' || first === null) return;
    for (const [path, changed] of withUnknown(first, `${at}.*`)) yield [path, [changed, ...others]];
    return;
  }
  yield [at, { ...body, nobody_knows: 'this' }];
  for (const [name, inner] of Object.entries(body) as [string, unknown][]) {
    if (typeof inner !== 'object' || inner === null) continue;
    for (const [path, changed] of withUnknown(inner, `${at}.${name}`)) {
      yield [path, { ...body, [name]: changed }];
    }
  }
}
