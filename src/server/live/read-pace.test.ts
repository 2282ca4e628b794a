// Release on PostgreSQL: it is about websockets.
import { expect, test } from 'vitest';
import { appWithProject } from '../../../test/helpers/app-with-project.ts';
import { connect } from '../../../test/helpers/live.ts';
import { until } from '../../../test/helpers/until.ts';

test('a client that sends faster than it is answered gets every answer', async () => {
  const { app, seed } = await appWithProject(null);
  const ada = await app.member(seed.projectId, 'guest');
  const { send, messages } = await connect(await app.listen(), { cookie: ada.cookie });
  const unknown = Array.from({ length: 1000 }, (_, index) => 1_000_000 + index);
  for (const project_id of unknown) send({ type: 'subscribe', topic: 'project', project_id });
  for (let times = 0; times < 300; times += 1) {
    send({ type: 'subscribe', topic: 'project', project_id: seed.projectId });
  }
  const isSubscribed = () => messages.some(({ type }) => type === 'subscribed');
  expect(await until(isSubscribed)).toBe(true);
  const refused = messages.flatMap((message) =>
    message.type === 'refused' && message.topic ? [message.topic.project_id] : [],
  );
  expect(refused.toSorted((one, other) => one - other)).toEqual(unknown);
});
