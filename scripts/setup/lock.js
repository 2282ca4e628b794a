// Allows one set-up at a time in a checkout. The lock lies outside node_modules, which an install
// removes. Its holder touches it every few seconds, so that others notice the lock of a killed
// process, also of another container.

import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './run.js';

const touchMs = 5000;
const staleMs = 30_000;

/**
 * Waits until the lock is free and locks it; returns the function that releases it.
 * @param {string} root
 * @param {{ pollMs?: number }} [options]
 */
export async function takeLock(root, { pollMs = 300 } = {}) {
  const folder = join(root, '.setup');
  const file = join(folder, 'lock');
  mkdirSync(folder, { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), taken: Date.now() });

  let isAnnounced = false;
  while (!tryCreate(file, mine)) {
    const seen = read(file);
    if (seen !== null && isStale(file, seen)) {
      removeStale(file, seen);
      continue;
    }
    if (!isAnnounced) say('waiting for another set-up of this checkout to finish ...');
    isAnnounced = true;
    await sleep(pollMs);
  }

  const touch = setInterval(() => {
    const now = new Date();
    if (read(file) === mine) utimesSync(file, now, now);
  }, touchMs);
  touch.unref();
  return () => {
    clearInterval(touch);
    if (read(file) === mine) rmSync(file, { force: true });
  };
}

/**
 * @param {string} file
 * @param {string} content
 */
function tryCreate(file, content) {
  // The lock is a link to a complete file, so that no process reads an empty lock.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/**
 * @param {string} file
 * @param {string} content
 */
export function isStale(file, content) {
  let holder;
  try {
    holder = JSON.parse(content);
    if (Date.now() - statSync(file).mtimeMs > staleMs) return true;
  } catch {
    return true;
  }
  return holder.host === hostname() && !isAlive(Number(holder.pid));
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Removes the lock that was found stale, and no newer one: of two waiters only one can rename it.
 * @param {string} file
 * @param {string} judged
 */
function removeStale(file, judged) {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  try {
    if (read(aside) !== judged) linkSync(aside, file);
  } catch {
    // Another process holds the lock now; only the holder of the renamed lock misses it.
  } finally {
    rmSync(aside, { force: true });
  }
}
