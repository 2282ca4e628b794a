// The tour, whose screens are checked for barriers and contrast in both themes, leaves none out.

import { expect, test } from 'vitest';
import { consoleScreens } from './helpers/console-screens.ts';
import type { Example } from './helpers/example/example.ts';
import { stops } from './helpers/tour.ts';

/** Has the id 7 for everything. */
const anything: object = new Proxy(
  {},
  { get: (_, name) => (name === Symbol.toPrimitive ? () => '7' : anything) },
);

/** Frames around other screens; the screen of half a session is checked where a session has one. */
const others = ['/', '/project/$projectId', '/second-factor'];

test('the tour stops at every screen of the console', async () => {
  const screens = (await consoleScreens()).filter((path) => !others.includes(path));
  const visited = stops.map(({ path }) => path(anything as Example).replace(/\?.*/, ''));
  const missing = screens.filter((screen) => {
    const path = new RegExp(
      `^${screen.replace(/\$(?:host|page|type)/, '[^/]+').replace(/\$\w+/g, '7')}$`,
    );
    return !visited.some((one) => path.test(one));
  });
  expect(screens.length).toBeGreaterThan(25);
  expect(missing).toEqual([]);
});
