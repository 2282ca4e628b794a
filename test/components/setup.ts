// What the console needs of a browser and a DOM without one lacks.

import { cleanup, configure } from '@testing-library/react';
import { notifyManager } from '@tanstack/react-query';
import { afterEach } from 'vitest';

// The limit only ends tests that fail: on a busy machine a component may take seconds. Whether an
// element is visible is computed from style sheets, which are not loaded here.
configure({ asyncUtilTimeout: 10_000, defaultHidden: true });

// An input that grows with its text measures it again when a font has been loaded.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

// Replies of one moment render the component once, not once each.
let waiting: (() => void)[] = [];
notifyManager.setScheduler((notify) => {
  if (waiting.push(notify) > 1) return;
  setTimeout(() => {
    const all = waiting;
    waiting = [];
    for (const one of all) one();
  });
});

afterEach(cleanup);
