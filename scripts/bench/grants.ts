// What access to single objects costs: a person with grants on 200 of 300 templates, of which 20 are restricted, in a
// project with 10,000 grants, compared with an owner of the project. Both see all templates.

import { type ApiCall, connectApi } from '../../test/helpers/api-client.ts';
import {
  addProject,
  addTemplates,
  install,
  launch,
  type Project,
  untilEnd,
} from './installation.ts';
import { type Measure, type Opened, timed } from './measure.ts';

const people = 50;
const templates = 300;
const grantsOfEach = 200;
const password = 'the password of somebody';
const file = 'true.sh';

export async function measureGrants(checkout: string): Promise<Opened> {
  const installation = await install(checkout);
  const { call } = installation;
  const project = await addProject(installation, { [file]: 'true\n' });
  await addTemplates(call, project, file, templates);
  const { slug } = await call<{ slug: string }>('POST', `${project.path}/roles`, {
    name: 'Readers',
    rights: ['template.see'],
  });
  await addMember(call, project, 'owner', 'owner');
  for (let one = 1; one < people; one += 1) {
    await giveSome(call, project, await addMember(call, project, `person-${one}`, slug));
  }
  const granted = await addMember(call, project, 'granted', slug);
  await giveSome(call, project, granted);
  await restrictSome(call, project);
  const { server } = installation;
  const connect = (login: string) => connectApi({ address: server.address, password }, login);
  return {
    measures: measuresOf(project, {
      granted: await connect('granted'),
      owner: await connect('owner'),
    }),
    end: () => installation.end(),
  };
}

async function addMember(
  call: ApiCall,
  { path }: Project,
  username: string,
  role: string,
): Promise<number> {
  const account = { username, name: username, email: `${username}@example.com`, password };
  const { id } = await call<{ id: number }>('POST', '/api/users', account);
  await call('POST', `${path}/users`, { user_id: id, role });
  return id;
}

async function grantedOf(call: ApiCall, { path }: Project): Promise<number[]> {
  const list = await call<{ id: number }[]>('GET', `${path}/templates`);
  const ids = list.map(({ id }) => id).toSorted((a, b) => a - b);
  return ids.slice(0, grantsOfEach);
}

/** Roles on the first templates, among them the one that is launched. */
async function giveSome(call: ApiCall, project: Project, user_id: number): Promise<void> {
  for (const object_id of await grantedOf(call, project)) {
    const body = { user_id, object_type: 'template', object_id, role: 'task_runner' };
    await call('POST', `${project.path}/grants`, body);
  }
}

/** Every tenth template. */
async function restrictSome(call: ApiCall, project: Project): Promise<void> {
  for (const [index, object_id] of (await grantedOf(call, project)).entries()) {
    if (index % 10 > 0) continue;
    const body = { object_type: 'template', object_id, mode: 'hidden' };
    await call('POST', `${project.path}/restrictions`, body);
  }
}

function measuresOf(project: Project, calls: { granted: ApiCall; owner: ApiCall }): Measure[] {
  const list = (call: ApiCall) => () => timed(() => call('GET', `${project.path}/templates`));
  const start = (call: ApiCall) => async (): Promise<number> => {
    let id = 0;
    const ms = await timed(async () => ({ id } = await launch(call, project, file)));
    await untilEnd(call, project, id);
    return ms;
  };
  const beside = 'an owner';
  return [
    {
      what: `The list of ${templates} templates for somebody with ${grantsOfEach} of ${(people * grantsOfEach).toLocaleString('en')} grants`,
      unit: 'ms',
      rounds: 200,
      take: list(calls.granted),
      beside: { name: beside, take: list(calls.owner) },
    },
    {
      what: 'A launch by somebody who may by a grant, until the answer',
      unit: 'ms',
      rounds: 200,
      take: start(calls.granted),
      beside: { name: beside, take: start(calls.owner) },
    },
  ];
}
