import type * as runWords from './run-words.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RunDecision } from '#shared/api/workflow-runs.ts';
import { decisionMessage, nodeFailures, workflowDecisions } from '#shared/workflows/decisions.ts';

type Words = typeof runWords;

let words: Words;

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en' });
  vi.stubGlobal('document', { cookie: '', documentElement: {} });
  const { loadLanguage, startLanguage } = await import('../../lib/i18n.ts');
  await startLanguage();
  await loadLanguage();
  words = await import('./run-words.ts');
});

afterAll(() => void vi.unstubAllGlobals());

const params = {
  user: 'Ada',
  run: 7,
  node: 'Test',
  other: 'Build',
  output: 'version',
  name: 'tag',
  most: 3,
  comment: 'Fine',
  reason: 'No',
  causes: '',
};

test('the console says each decision in the words of the server', () => {
  const because = [
    { node: 'Build', state: 'success' as const },
    { node: 'Lint', state: 'skipped' as const },
  ];
  const all = workflowDecisions.codes.map((code) => ({
    id: 1,
    time: '',
    code,
    params,
    because,
    text: '',
  })) satisfies RunDecision[];
  expect(all.map((one) => words.decisionWords(one))).toEqual(
    workflowDecisions.codes.map((code) => decisionMessage({ code, params }, because)),
  );
});

test('the console says each reason in the words of the server', () => {
  const node = {
    key: 'a',
    state: 'failure',
    task_id: null,
    dry_run: false,
    run_id: null,
    begin: null,
    end: null,
    until: null,
    is_kept: false,
    decided_by: null,
    answers: {},
    failure: null,
  } as const;
  const said = nodeFailures.codes.map((code) =>
    words.reasonWords({ ...node, reason: { code, params, text: '' } }),
  );
  expect(said).toEqual(nodeFailures.codes.map((code) => nodeFailures.message({ code, params })));
});

test('the console shows the sentence of the server for a code that it does not know', () => {
  const newer = { code: 'decision.newer', params, because: [], text: 'New.', id: 1, time: '' };
  expect(words.decisionWords(newer as never)).toBe('New.');
});
