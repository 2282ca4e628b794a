import { describe, expect, test } from 'vitest';
import { alertEvents } from '#shared/alerts.ts';
import type { Alert } from '#shared/api/alert-deliveries.ts';
import type { FailureGroup } from '#shared/api/run-results.ts';
import { durationText, factsOf, failureText, titleOf } from './alert.ts';
import { bodyOf, escapeHtml, escapeMarkdown, mailOf, type Outgoing } from './messages.ts';

const alert: Alert = {
  event: 'failed',
  time: '2026-11-21T12:00:00.000Z',
  project: { id: 3, name: 'Trains' },
  task: {
    id: 12,
    template: { id: 4, name: 'Deploy' },
    status: 'error',
    message: 'Nightly',
    user: 'Ada',
    version: '1.2',
    duration: 3725,
  },
};

const failure: FailureGroup = {
  state: 'failed',
  task: 'Ask for the load',
  module: 'ansible.builtin.command',
  role: '',
  path: 'patch.yml',
  file_line: 23,
  message: 'The database is busy',
  result: 1,
  line: 12,
  hosts: ['db-1', 'db-2'],
  host_count: 2,
};

const hosts = { ok: 5, changed: 1, failed: 2, unreachable: 0, total: 8 };

const hostile = `"><script>alert(1)</script>&amp;'</b><!channel> @channel [x](https://evil.example) ![p](//evil.example/p)\r\nBcc: x@evil.example\u2028\u202e\u0000`;

const hostileAlert: Alert = {
  ...alert,
  project: { id: 3, name: hostile },
  task: alert.task && {
    ...alert.task,
    template: { id: 4, name: hostile },
    message: hostile,
    user: hostile,
    version: hostile,
    hosts,
    failures: [{ ...failure, hosts: [hostile], task: hostile, message: hostile, path: hostile }],
  },
};

const outgoing = (of: Alert, publicUrl: string | null = 'https://signalbox.example'): Outgoing => ({
  alert: of,
  id: '7-1',
  publicUrl,
});

const link = 'https://signalbox.example/project/3/templates/4?t=12';

test('a mail says in its text and in its HTML the same', () => {
  const { subject, text, html } = mailOf(outgoing(alert));
  expect(subject).toBe('Task #12 of "Deploy" failed');
  expect(text).toBe(
    `Task #12 of "Deploy" failed

Project: Trains
Template: Deploy
Task: #12
Message: Nightly
Status: error
Started by: Ada
Version: 1.2
Duration: 1 h 2 min 5 s
Log: ${link}
`,
  );
  for (const word of ['Trains', 'Deploy', '#12', 'Nightly', 'Ada', '1.2', '1 h 2 min 5 s']) {
    expect(html).toContain(`<td>${word}</td>`);
  }
  expect(html).toContain(`<a href="${link}">`);
});

test.each(alertEvents)('the title says what happened: %s', (event) => {
  const title = titleOf({ ...alert, event });
  const words = {
    failed: 'failed',
    recovered: 'succeeded after a failure',
    waiting: 'waits for confirmation',
    succeeded: 'succeeded',
    stopped: 'was stopped',
  };
  expect(title).toBe(`Task #12 of "Deploy" ${words[event]}`);
});

test('a success that reached no host does not look like any other', () => {
  const onNone = {
    ...alert,
    event: 'succeeded',
    task: alert.task && { ...alert.task, no_hosts: true },
  };
  const one = onNone as Alert;
  expect(titleOf(one)).toBe('Task #12 of "Deploy" succeeded, on no host');
  expect(factsOf(one)).toContainEqual({ name: 'Hosts', value: 'none' });
});

test('nothing links to a server that does not know its own address', () => {
  for (const make of [mailOf, ...Object.values(bodyOf)]) {
    expect(JSON.stringify(make(outgoing(alert, null)))).not.toContain('/project/3');
    expect(JSON.stringify(make(outgoing(alert)))).toContain('/project/3');
  }
});

test('the failures of a run are told, the first three in a line each, and how many hosts failed', () => {
  const groups = [
    failure,
    { ...failure, state: 'unreachable' as const, message: 'No route', path: null, file_line: null },
    { ...failure, hosts: ['a', 'b', 'c', 'd'], host_count: 40, message: 'one\ntwo' },
    failure,
    failure,
  ];
  const task = alert.task && { ...alert.task, hosts, failures: groups };
  const known = factsOf(alert).length;
  expect(factsOf({ ...alert, task }).slice(known)).toEqual([
    { name: 'Hosts', value: '2 failed, 1 changed, 5 ok' },
    { name: 'Failed', value: 'db-1, db-2: The database is busy (Ask for the load, patch.yml:23)' },
    { name: 'Unreachable', value: 'db-1, db-2: No route (Ask for the load)' },
    { name: 'Failed', value: 'a, b, c and 37 more: one two (Ask for the load, patch.yml:23)' },
    { name: 'Further failures', value: '2' },
  ]);
  expect(bodyOf.webhook(outgoing({ ...alert, task }))).toMatchObject({
    task: { hosts, failures: groups },
  });
});

test('a failure is told shortly, however much was said', () => {
  const text = failureText({ ...failure, message: 'x'.repeat(5000) });
  expect(text).toMatch(/^db-1, db-2: x{200}… \(Ask for the load, patch\.yml:23\)$/);
  const long = failureText({ ...failure, hosts: Array(3).fill('y'.repeat(250)), host_count: 3 });
  expect(long).toHaveLength(501);
});

test('what is not known is left out', () => {
  const bare = alert.task && {
    ...alert.task,
    message: '',
    user: '',
    version: null,
    duration: null,
  };
  const { text } = mailOf(outgoing({ ...alert, task: bare }, null));
  expect(text).not.toMatch(/Message|Launched|Version|Duration|Log|null/);
});

describe('hostile names are text', () => {
  test('in a mail', () => {
    const { subject, text, html } = mailOf(outgoing(hostileAlert));
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(subject).not.toMatch(/[\u0000-\u001f\u2028\u202e]/);
    expect(subject).toContain('<script>');
    expect(text.split('\n').some((line) => line.startsWith('Bcc'))).toBe(false);
    expect(html).not.toContain('<script');
    expect(html).not.toContain("'");
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&#39;');
  });

  test('for Telegram', () => {
    const { text } = bodyOf.telegram(outgoing(hostileAlert)) as { text: string };
    expect(text.match(/<[^>]*>/g)).toEqual(['<b>', '</b>']);
    expect(text).toContain('&lt;script&gt;');
    expect(text).toContain('&amp;amp;');
  });

  test('for Slack', () => {
    const sent = JSON.stringify(bodyOf.slack(outgoing(hostileAlert)));
    expect(sent).not.toMatch(/[<>]/);
    expect(sent).toContain('&lt;!channel&gt;');
  });

  test('for Mattermost', () => {
    const sent = JSON.stringify(bodyOf.mattermost(outgoing(hostileAlert)));
    expect(sent).not.toMatch(/[<>]|@channel|\]\(/);
  });

  test('for Teams: in text runs, which know no markdown', () => {
    const card = bodyOf.teams(outgoing(hostileAlert)) as {
      attachments: { content: { body: { type: string; inlines: { type: string }[] }[] } }[];
    };
    const blocks = card.attachments[0]?.content.body ?? [];
    expect(blocks.length).toBeGreaterThan(5);
    expect(new Set(blocks.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']));
    const runs = blocks.flatMap(({ inlines }) => inlines);
    expect(new Set(runs.map(({ type }) => type))).toEqual(new Set(['TextRun']));
  });

  test('for a webhook: as they are, in JSON', () => {
    const sent = JSON.parse(JSON.stringify(bodyOf.webhook(outgoing(hostileAlert))));
    expect(sent).toMatchObject({ id: '7-1', project: { name: hostile }, event: 'failed', link });
  });

  test('on one line each, for all who are sent lines', () => {
    const { message: gotify } = bodyOf.gotify(outgoing(hostileAlert)) as { message: string };
    const { message: ntfy } = bodyOf.ntfy(outgoing(hostileAlert)) as { message: string };
    for (const message of [gotify, ntfy]) {
      for (const line of message.split('\n')) expect(line).toMatch(/^[A-Z][a-z ]+: /);
    }
  });
});

test.each([
  ['<a href="x">\'&', '&lt;a href=&quot;x&quot;&gt;&#39;&amp;'],
  ['plain', 'plain'],
])('HTML: %s', (text, escaped) => {
  expect(escapeHtml(text)).toBe(escaped);
});

test('markdown without links and mentions', () => {
  expect(escapeMarkdown('[a](b) @all <c>')).toBe('[a]\u200b(b) @\u200ball &lt;c&gt;');
});

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3600, '1 h'],
  [90_061, '25 h 1 min 1 s'],
])('%d seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

test('an alert about a run names the workflow, and what failed or is asked, on one line each', () => {
  const workflow_run: NonNullable<Alert['workflow_run']> = {
    id: 12,
    workflow: { id: 4, name: 'Release' },
    status: 'error',
    message: 'Release 1.4',
    user: 'Ada',
    duration: 75,
    failed_nodes: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, reason: `${name} broke` })),
    approval: null,
  };
  const failed: Alert = { ...alert, task: null, workflow_run };
  expect(titleOf(failed)).toBe('Run #12 of workflow "Release" failed');
  expect(factsOf(failed).map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Project: Trains',
    'Workflow: Release',
    'Run: #12',
    'Message: Release 1.4',
    'Status: error',
    'Started by: Ada',
    'Duration: 1 min 15 s',
    'Failed: a: a broke',
    'Failed: b: b broke',
    'Failed: c: c broke',
    'Further failures: 2',
  ]);
  const toRun = 'https://signalbox.example/project/3/workflow_runs/12';
  expect(bodyOf.webhook(outgoing(failed))).toMatchObject({ task: null, workflow_run, link: toRun });
  expect(mailOf(outgoing(failed)).text).toContain(`Run: ${toRun}`);
  expect(mailOf(outgoing(failed)).html).toContain('Open the run');
  const approval = { key: 'ask', name: 'Deploy to production', question: 'x'.repeat(2000) };
  const run = { ...workflow_run, duration: null, failed_nodes: [], approval };
  const waiting: Alert = { ...failed, event: 'waiting', workflow_run: run };
  expect(titleOf(waiting)).toBe(
    'Run #12 of workflow "Release" waits for the approval of "Deploy to production"',
  );
  const question = factsOf(waiting).find(({ name }) => name === 'Question')?.value;
  expect(question).toBe(`${'x'.repeat(500)}…`);
});

test('names in an alert about a run never become markup, control characters or mentions', () => {
  const workflow_run: NonNullable<Alert['workflow_run']> = {
    id: 12,
    workflow: { id: 4, name: hostile },
    status: 'running',
    message: hostile,
    user: hostile,
    duration: null,
    failed_nodes: [{ name: hostile, reason: hostile }],
    approval: { key: 'ask', name: hostile, question: hostile },
  };
  const project = { id: 3, name: hostile };
  const all = outgoing({ ...alert, event: 'waiting', project, task: null, workflow_run });
  const mail = mailOf(all);
  expect(mail.html).not.toMatch(/<script|<\/b>/);
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(mail.subject).not.toMatch(/[\u0000-\u001f\u2028\u202e]/);
  expect(mail.text.split('\n')).not.toContainEqual(expect.stringMatching(/^Bcc:/));
  expect(JSON.stringify(bodyOf.slack(all))).not.toMatch(/<!channel>|<script/);
  expect(JSON.stringify(bodyOf.telegram(all))).not.toContain('<script');
  expect(JSON.stringify(bodyOf.mattermost(all))).not.toMatch(/\]\(|@channel/);
});
