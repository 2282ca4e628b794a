import { expect, test } from 'vitest';
import { session } from '#shared/api/session.ts';
import { users } from '#shared/api/users.ts';
import { password, testApp } from '../../../../test/helpers/app.ts';

test('people see their sessions and end them', async () => {
  const app = await testApp();
  const here = await app.user('ada');
  app.clock.advance(60_000);
  const there = await app.signIn('ada', password);
  const third = await app.signIn('ada', password);
  await app.user('other');
  const list = await here.call(session.list, {});
  expect(list).toHaveLength(3);
  expect(list.map(({ current }) => current)).toEqual([true, false, false]);
  expect(list[0]).toEqual({
    id: expect.any(Number),
    created: expect.stringMatching(/Z$/),
    last_active: expect.stringMatching(/Z$/),
    expires: expect.stringMatching(/Z$/),
    ip: '127.0.0.1',
    user_agent: 'lightMyRequest',
    current: true,
  });
  const [, newest] = list;
  await there.call(session.revoke, { params: { session_id: newest?.id ?? 0 } });
  expect((await third.ask(users.current, {})).status).toBe(401);
  await here.call(session.revokeOthers, {});
  expect((await there.ask(users.current, {})).status).toBe(401);
  expect(await here.call(session.list, {})).toHaveLength(1);
});

test('nobody ends a session of somebody else', async () => {
  const app = await testApp();
  const ada = await app.user('ada');
  const [own] = await ada.call(session.list, {});
  const params = { session_id: own?.id ?? 0 };
  const { status, body } = await app.admin.ask(session.revoke, { params });
  expect([status, body.code]).toEqual([404, 'session.not_found']);
  expect((await ada.ask(users.current, {})).status).toBe(200);
});
