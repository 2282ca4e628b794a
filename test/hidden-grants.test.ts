// Also on PostgreSQL: names of common table expressions hide those of tables there by other rules.
// Slow: calls every GET endpoint for each of several people.
// Whoever has grants on hidden objects learns of these, and of nothing else.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { grants } from '#shared/api/grants.ts';
import { projectRoles } from '#shared/api/roles.ts';
import { grantedTypes, type GrantedType } from '#shared/grants/granted-types.ts';
import { roleNames } from '#shared/rights.ts';
import { testApp } from './helpers/app.ts';
import { hiddenProject, mark } from './helpers/hidden-objects.ts';
import { namesIn, readAll, withRole } from './helpers/hidden-reads.ts';
import { runSeed } from './helpers/random.ts';

const ofTemplate = ['template', 'schedule', 'integration', 'message', 'ran', 'alert'];

/** The names that come with access to an object; the first one shows wherever the object does. */
const namesOf: Record<GrantedType, string[]> = {
  template: ofTemplate,
  workflow: ['workflow'],
  // It shows the template.
  view: ['view', ...ofTemplate],
  inventory: ['inventory', 'group', 'host', 'added'],
  key: ['key'],
  environment: ['environment', 'variable', 'changed'],
  // The address has only the mark.
  repository: ['repository', '', 'branch', 'other'],
  execution_environment: ['execution', 'image'],
};

const person = fc.record({
  isManager: fc.boolean(),
  types: fc.subarray([...grantedTypes], { minLength: 1, maxLength: 4 }),
  role: fc.constantFrom(...roleNames),
});

test('random grants show what they are on', async () => {
  const app = await testApp();
  const project = await hiddenProject(app);
  const at = { params: { project_id: project.projectId } };
  const body = { name: 'Nothing', rights: [] };
  const { slug } = await app.admin.call(projectRoles.create, { ...at, body });
  const all = [project.open, project.hidden, project.users];
  for (const random of fc.sample(person, { seed: runSeed, numRuns: 5 })) {
    const caller = await withRole(app, project, random.isManager ? 'manager' : slug);
    for (const type of random.types) {
      const object = { object_type: type, object_id: Number(project.hidden[`${type}_id`]) };
      const given = { ...object, user_id: caller.userId, role: random.role };
      await app.admin.call(grants.create, { ...at, body: given });
    }
    const found = new Set(
      namesIn(await readAll(caller, all)).flatMap((line) => line.split(': ')[1]?.split(' ') ?? []),
    );
    const allowed = random.types.flatMap((type) => namesOf[type].map((name) => `${mark}${name}`));
    const about = JSON.stringify(random);
    expect([about, [...found].filter((name) => !allowed.includes(name))]).toEqual([about, []]);
    for (const type of random.types)
      expect([about, [...found]]).toEqual([
        about,
        expect.arrayContaining([`${mark}${namesOf[type][0]}`]),
      ]);
  }
}, 240_000);
