import { expect, test } from 'vitest';
import { renderAt } from '../../../../../test/components/render.tsx';
import { RunTabs } from './run-tabs.tsx';

test.each([
  ['log', '/?line=3', 'Log'],
  ['hosts', '/?view=hosts&host=web-1', 'Hosts'],
  ['timeline', '/?view=timeline&zoom=100-900', 'Timeline'],
] as const)('only the open view is the current one: %s', async (view, address, name) => {
  const { findByRole, getAllByRole } = await renderAt(
    <RunTabs views={['log', 'hosts', 'timeline']} view={view} />,
    { address },
  );
  await findByRole('link', { name });
  const current = getAllByRole('link', { current: 'page' });
  expect(current.map(({ textContent }) => textContent)).toEqual([name]);
});
