import { expect, test } from 'vitest';
import { renderAt } from '../../../../../test/components/render.tsx';
import { TaskPrograms } from './task-programs.tsx';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

test.each([
  ['quay.io/example/tools:1.4', 'quay.io/example/tools'],
  ['localhost:5000/tools', 'localhost:5000/tools'],
  [`example/tools@${digest}`, 'example/tools'],
])('the image %s is shown with its digest', async (name, untagged) => {
  const tools = { programs: [], requirements: [], image: { name, digest } };
  const view = await renderAt(<TaskPrograms tools={tools} />);
  expect(view.getByText('sha256:0123456789ab…')).toBeTruthy();
  expect(view.getByText(`${untagged}@${digest}`)).toBeTruthy();
});

test('programs and requirements have their versions', async () => {
  const tools = {
    programs: [{ name: 'ansible-core', version: '2.19.1' }],
    requirements: [{ kind: 'collection' as const, name: 'community.general', version: '11.0.0' }],
  };
  const { container } = await renderAt(<TaskPrograms tools={tools} />);
  expect(container.textContent).toContain('ansible-core 2.19.1');
  expect(container.textContent).toContain('community.general 11.0.0');
});

test.each([null, { programs: [], requirements: [] }])('nothing is shown of %o', async (tools) => {
  const { container } = await renderAt(<TaskPrograms tools={tools} />);
  expect(container.querySelector('details')).toBeNull();
});
