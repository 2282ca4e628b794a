import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excessOf, excessText, type AskedLaunch } from './excess.ts';
import { type GrantLimits, noLimits } from './limits.ts';

const plain: AskedLaunch = {
  tags: [],
  hosts: [],
  branch: 'main',
  hasCommit: false,
  hasArguments: false,
  answers: {},
  dryRun: false,
  at: new Date('2026-11-30T12:00:00Z'),
};

const excess = (limits: Partial<GrantLimits>, asked: Partial<AskedLaunch> = {}) =>
  excessOf({ ...noLimits, ...limits }, { ...plain, ...asked });

const said = (limits: Partial<GrantLimits>, asked: Partial<AskedLaunch> = {}) => {
  const beyond = excess(limits, asked);
  return beyond && excessText(beyond);
};

describe('a launch under a grant', () => {
  test('has tags and hosts, and only those of the lists', () => {
    const words = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'all', '!a', 'a*'), {
      minLength: 1,
    });
    fc.assert(
      fc.property(
        words,
        fc.array(fc.constantFrom('a', 'b', 'c', 'all', '!a', 'a*')),
        (list, asked) => {
          const isWithin = asked.length > 0 && asked.every((one) => list.includes(one));
          expect(excess({ tags: list }, { tags: asked }) === null).toBe(isWithin);
          expect(excess({ hosts: list }, { hosts: asked }) === null).toBe(isWithin);
        },
      ),
    );
    expect(said({ tags: ['x', 'y'] })).toBe('only tags x, y');
  });

  test('has no arguments of its own', () => {
    expect(said({ dry_run: true }, { dryRun: true, hasArguments: true })).toBe(
      'no arguments of its own',
    );
  });

  test('runs one of the branches, and no commit that may be of another', () => {
    expect(excess({ branches: ['main'] })).toBeNull();
    expect(said({ branches: ['main'] }, { hasCommit: true })).toBe('only branches main');
    expect(said({ branches: ['main'] }, { branch: 'mine' })).toBe('only branches main');
  });

  test('answers with the values of the list', () => {
    const answers = { tier: ['web', '3'] };
    expect(excess({ answers }, { answers: { tier: 'web' } })).toBeNull();
    expect(excess({ answers }, { answers: { tier: 3 } })).toBeNull();
    expect(said({ answers }, { answers: { tier: 'db' } })).toBe('tier only web, 3');
    expect(said({ answers })).toBe('tier only web, 3');
  });

  test('is a dry run', () => {
    expect(said({ dry_run: true })).toBe('dry run only');
    expect(excess({ dry_run: true }, { dryRun: true })).toBeNull();
  });

  test.each([
    // 30 November 2026 is a Monday; Berlin is an hour ahead of UTC.
    ['08:00', '18:00', '2026-11-30T06:59:00Z', false],
    ['08:00', '18:00', '2026-11-30T07:00:00Z', true],
    ['08:00', '18:00', '2026-11-30T16:59:00Z', true],
    ['08:00', '18:00', '2026-11-30T17:00:00Z', false],
    ['08:00', '18:00', '2026-12-01T12:00:00Z', false],
    ['22:00', '06:00', '2026-11-30T21:30:00Z', true],
    ['22:00', '06:00', '2026-12-01T04:59:00Z', true],
    ['22:00', '06:00', '2026-11-30T04:00:00Z', false],
    ['22:00', '06:00', '2026-12-01T21:30:00Z', false],
  ])('on Mondays from %s to %s in Berlin: %s', (from, to, at, isWithin) => {
    const hours = { days: [1], from, to, time_zone: 'Europe/Berlin' };
    expect(excess({ hours }, { at: new Date(at) }) === null).toBe(isWithin);
  });
});
