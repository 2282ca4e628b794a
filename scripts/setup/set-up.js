// Runs the steps of a set-up. If a step has work to do, the lock is taken and every step checks again,
// since another set-up may have done the work.

import { fileURLToPath } from 'node:url';
import { takeLock } from './lock.js';
import { packagesStep } from './packages.js';
import { programsStep } from './programs.js';
import { Stop, endChildren } from './run.js';
import { serverStep } from './server.js';
import { webStep } from './web.js';

/** @typedef {{ hasWork: () => boolean, work: () => Promise<void> }} Step */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @type {Record<string, () => Step[]>} */
const plans = {
  check: () => [packagesStep(root)],
  // The check uses this plan too; its other steps run during the build.
  console: () => [webStep(root)],
  // Programs come before the builds, so that sudo prompts for a password early.
  start: () => [
    packagesStep(root),
    programsStep('start'),
    together(webStep(root), serverStep(root)),
  ],
  // For a service that starts the server itself.
  build: () => [packagesStep(root), together(webStep(root), serverStep(root))],
  // For packing a remote runner.
  runner: () => [packagesStep(root), serverStep(root)],
  dev: () => [packagesStep(root), programsStep('start'), webStep(root)],
  test: () => [packagesStep(root), programsStep('test'), together(webStep(root), serverStep(root))],
  pictures: () => [packagesStep(root), programsStep('pictures'), webStep(root)],
};

/**
 * One step of several steps that run at the same time.
 * @param {Step[]} steps
 * @returns {Step}
 */
function together(...steps) {
  return {
    hasWork: () => steps.some((step) => step.hasWork()),
    async work() {
      const wanted = steps.filter((step) => step.hasWork());
      const results = await Promise.allSettled(wanted.map((step) => step.work()));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
  };
}

/**
 * Returns the exit code of the set-up.
 * @param {string} plan
 */
export async function setUp(plan) {
  const steps = plans[plan]?.();
  if (!steps) {
    console.error(`scripts/setup.js knows ${Object.keys(plans).join(', ')}, not "${plan}".`);
    return 2;
  }
  try {
    if (steps.some((step) => step.hasWork())) await workThrough(steps);
    return 0;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(`\n${error.message}`);
    return 1;
  }
}

/** @param {Step[]} steps */
async function workThrough(steps) {
  const release = await takeLock(root);
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])) {
    process.once(signal, () => {
      endChildren();
      release();
      process.exit(code);
    });
  }
  try {
    for (const step of steps) {
      if (step.hasWork()) await step.work();
    }
  } finally {
    release();
  }
}
