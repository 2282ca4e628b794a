// Only on SQLite: it is about names, whose values are tested on both engines beside the metrics.
// Slow: promtool reads every rule and expression, and whole servers are started.
// What deploy/ and the guide tell monitoring systems, compared with the metrics of a running server.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  counters,
  histograms,
  type Measure,
  ownGauges,
  sharedGauges,
} from '../src/server/lib/telemetry/measures.ts';
import { connectApi, type ApiCall } from './helpers/api-client.ts';
import { readMetrics, valuesOf } from './helpers/metrics.ts';
import { commitFiles, git } from './helpers/seed.ts';
import { startServer, type TestServer } from './helpers/server.ts';
import { until } from './helpers/until.ts';

const fileOf = (path: string): string =>
  readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const rulesPath = new URL('../deploy/prometheus-rules.yaml', import.meta.url).pathname;

let server: TestServer;
let metricsUrl = '';
let scraped = '';

const scrape = async (): Promise<string> => (await fetch(metricsUrl)).text();

beforeAll(async () => {
  server = await startServer({
    env: { SIGNALBOX_METRICS_PORT: '0', SIGNALBOX_LOCAL_REPOSITORIES: '/' },
  });
  metricsUrl = /Metrics: (\S+)/.exec(server.printed())?.[1] ?? '';
  await useEverything(await connectApi(server));
  await fetch(`${server.address}/api/ping`);
  scraped = await until(async () => {
    const now = await scrape();
    const ended = valuesOf(now, 'signalbox_tasks_ended_total', { status: 'success' });
    return ended[0] === 1 && now;
  });
}, 300_000);

afterAll(() => server.stop());

/** A repository below the data folder, with which it is removed. */
async function smallRepository(): Promise<string> {
  const path = join(server.dataDir, 'code');
  mkdirSync(path);
  await git(path, 'init', '--quiet', '--template=');
  await commitFiles(path, { 'run.sh': 'echo done\n' }, 'First commit');
  return path;
}

/** Runs a task to its end and leaves another one waiting, so that each metric has a value. */
async function useEverything(call: ApiCall): Promise<void> {
  const make = <T = { id: number }>(path: string, body: object) => call<T>('POST', path, body);
  const { id } = await make('/api/projects', { name: 'Observed' });
  const api = `/api/project/${id}`;
  const key = await make(`${api}/keys`, { name: 'None', type: 'none', project_id: id });
  const repository = await make(`${api}/repositories`, {
    name: 'Code',
    project_id: id,
    git_url: await smallRepository(),
    git_branch: 'main',
    ssh_key_id: key.id,
  });
  const environment = await make(`${api}/environment`, { name: 'None', project_id: id });
  const template = await make(`${api}/templates`, {
    project_id: id,
    name: 'Say "done" \\ twice',
    app: 'bash',
    playbook: 'run.sh',
    repository_id: repository.id,
    environment_id: environment.id,
  });
  await make(`${api}/tasks`, { project_id: id, template_id: template.id });
  await make(`${api}/tasks`, { project_id: id, template_id: template.id });
}

/** The selectors of an expression: a metric, and the labels that it is chosen or grouped by. */
function selectorsOf(expression: string): { name: string; labels: string[] }[] {
  const names = /\b(?<name>(?:signalbox|process|nodejs)_\w+|up)(?<chosen>\{[^}]*\})?/g;
  const grouped = [...expression.matchAll(/\b(?:by|on|group_left) ?\((?<labels>[^)]*)\)/g)].flatMap(
    ({ groups }) => (groups?.['labels'] ?? '').split(',').map((one) => one.trim()),
  );
  return [...expression.matchAll(names)].map(({ groups }) => {
    const chosen = [...(groups?.['chosen'] ?? '').matchAll(/(\w+)(?:=|!)/g)].map(([, one]) => one);
    return { name: groups?.['name'] ?? '', labels: [...chosen, ...grouped].map(String) };
  });
}

// Prometheus adds these to each value.
const added = ['instance', 'job'];

/** What an expression names and no metric of the server has. */
function unknownIn(expression: string): string[] {
  const metrics = readMetrics(scraped);
  const selectors = selectorsOf(expression);
  const all = new Set(
    selectors.flatMap(({ name }) =>
      metrics.filter((one) => one.name === name).flatMap(({ labels }) => Object.keys(labels)),
    ),
  );
  return selectors.flatMap(({ name, labels }) => {
    if (name === 'up') return labels.filter((label) => !added.includes(label));
    const known = metrics.some((one) => one.name === name);
    if (!known) return [name];
    return labels
      .filter((label) => !all.has(label) && !added.includes(label))
      .map((label) => `${name}{${label}}`);
  });
}

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

const rules = (
  parse(fileOf('deploy/prometheus-rules.yaml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);

test('every metric and label of the alert rules is one of a running server', () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
  expect(unknownIn('sum by (nobody) (signalbox_gone{a="b"})')).toEqual(['signalbox_gone']);
  expect(unknownIn('max by (nobody) (signalbox_tasks{state="x"})')).toEqual([
    'signalbox_tasks{state}',
    'signalbox_tasks{nobody}',
  ]);
});

test('promtool accepts the rules, and they fire when they should', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-rules-'));
  try {
    const cases = fileOf('test/fixtures/prometheus/rules-test.yaml').replace(
      '[RULES]',
      `[${rulesPath}]`,
    );
    writeFileSync(join(folder, 'rules-test.yaml'), cases);
    const checked = spawnSync('promtool', ['check', 'rules', rulesPath], { encoding: 'utf8' });
    expect([checked.stderr, checked.status]).toEqual(['', 0]);
    expect(checked.stdout).toContain(`${rules.length} rules found`);
    const tested = spawnSync('promtool', ['test', 'rules', join(folder, 'rules-test.yaml')], {
      encoding: 'utf8',
    });
    expect([tested.stderr, tested.status]).toEqual(['', 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

interface Panel {
  id: number;
  title: string;
  type: string;
  datasource?: { uid: string };
  targets?: { expr: string; legendFormat?: string; datasource: { uid: string } }[];
}

const dashboard = JSON.parse(fileOf('deploy/grafana-dashboard.json')) as {
  panels: Panel[];
  templating: { list: { name: string; type: string; query: string | { query: string } }[] };
};

/** An expression as Grafana sends it. */
const filled = (expression: string): string =>
  expression
    .replaceAll('$__rate_interval', '5m')
    .replaceAll('$__range', '6h')
    .replaceAll('$instance', '.*');

test('every metric and label of the dashboard is one of a running server', () => {
  const targets = dashboard.panels.flatMap(({ targets: some = [] }) => some);
  expect(targets.length).toBeGreaterThan(30);
  expect(targets.flatMap(({ expr }) => unknownIn(filled(expr)))).toEqual([]);
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { datasource } of targets) expect(datasource.uid).toBe('${datasource}');
  const [source, instance] = dashboard.templating.list;
  expect([source?.name, source?.type, source?.query]).toEqual([
    'datasource',
    'datasource',
    'prometheus',
  ]);
  expect(instance?.query).toMatchObject({ query: 'label_values(signalbox_build_info, instance)' });
});

test('promtool understands every expression of the dashboard', () => {
  const targets = dashboard.panels.flatMap(({ targets: some = [] }) => some);
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-rules-'));
  try {
    const recorded = targets.map(({ expr }, index) => ({
      record: `panel:${index}`,
      expr: filled(expr),
    }));
    const file = join(folder, 'panels.yaml');
    // Each JSON document is a YAML document too.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }));
    const checked = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
    expect([checked.stderr, checked.status]).toEqual(['', 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('promtool accepts what the guide gives', () => {
  const guide = fileOf('docs/guide/monitoring.md');
  const job = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const expression = /```text\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  expect(unknownIn(expression)).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-rules-'));
  try {
    const [config, rule] = [join(folder, 'prometheus.yml'), join(folder, 'rule.yml')];
    writeFileSync(config, job);
    const named = { record: 'guide', expr: expression };
    writeFileSync(rule, JSON.stringify({ groups: [{ name: 'guide', rules: [named] }] }));
    for (const args of [
      ['check', 'config', '--syntax-only', config],
      ['check', 'rules', rule],
    ]) {
      const checked = spawnSync('promtool', args, { encoding: 'utf8' });
      expect([checked.stderr, checked.status]).toEqual(['', 0]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('promtool reads the metrics, names with quotes included', () => {
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: scraped, encoding: 'utf8' });
  // What it says of the style of the metrics that Node's library adds is no error.
  const complaints = checked.stderr.split('\n').filter((line) => line.startsWith('signalbox_'));
  expect(complaints).toEqual([]);
  expect(checked.stderr).not.toContain('error while linting');
  const names = { template: 'Say \\"done\\" \\\\ twice', project: 'Observed' };
  expect(valuesOf(scraped, 'signalbox_template_info', names)).toEqual([1]);
});

describe('the port of the metrics', () => {
  test('answers nothing else', async () => {
    const { origin } = new URL(metricsUrl);
    for (const path of ['/', '/api/ping', '/metrics/x', '/healthz']) {
      expect((await fetch(`${origin}${path}`)).status).toBe(404);
    }
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${server.address}/metrics`)).status).toBe(404);
  });

  test('needs the token if one is set, and says which setting to correct when it is taken', async () => {
    const port = new URL(metricsUrl).port;
    const taken = startServer({ env: { SIGNALBOX_METRICS_PORT: port } });
    await expect(taken).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is taken. Choose another: SIGNALBOX_METRICS_PORT.`,
    );
    const token = 'a-token-of-the-metrics';
    const env = { SIGNALBOX_METRICS_PORT: '0', SIGNALBOX_METRICS_TOKEN: token };
    const other = await startServer({ env });
    try {
      const url = /Metrics: (\S+)/.exec(other.printed())?.[1] ?? '';
      const refused = await fetch(url);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await refused.text()).toContain('SIGNALBOX_METRICS_TOKEN');
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(url, { headers });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('signalbox_ready 1');
      expect(other.printed()).not.toContain(token);
    } finally {
      await other.stop();
    }
  });
});

test('the guide lists every metric with its labels, and every alert rule', () => {
  const guide = fileOf('docs/guide/monitoring.md');
  const rows = [...guide.matchAll(/^\| `(signalbox_\w+)` \|([^|]*)\|([^|]*)\|/gm)];
  const listed = Object.fromEntries(
    rows.map(([, name = '', , labels = '']) => [
      name,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
    ]),
  );
  const measures: Record<string, Measure> = {
    ...counters,
    ...histograms,
    ...ownGauges,
    ...sharedGauges,
  };
  const built = Object.fromEntries(
    Object.entries(measures).map(([name, { labels }]) => [name, [...labels]]),
  );
  expect(listed).toEqual(built);
  const explained = [...guide.matchAll(/^\| `(Signalbox\w+)` \|/gm)].map(([, name]) => name);
  expect(explained).toEqual(rules.map(({ alert }) => alert));
});
