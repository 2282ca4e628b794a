// A plan of Terraform waits for its confirmation in its pod, and is applied there.

import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { until } from '../helpers/until.ts';
import { theCluster } from './cluster/the-cluster.ts';
import { startInstallation, type Installation } from './product/installation.ts';

const image = 'localhost/terraform:1';
let bed: Installation;

beforeAll(async () => {
  const cluster = theCluster();
  const path = execFileSync('which', ['terraform'], { encoding: 'utf8' }).trim();
  cluster.importImageWith(image, path);
  bed = await startInstallation(cluster);
}, 1_800_000);

afterAll(() => bed.stop(), 120_000);

/** Keeps a state as Terraform's backend `http` asks for it. */
async function keepStates() {
  const kept = { state: '' };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'POST') kept.state = body;
      if (request.method === 'GET' && kept.state === '') response.writeHead(404);
      response.end(request.method === 'GET' ? kept.state : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = await theCluster().reachable((server.address() as AddressInfo).port);
  return { kept, url };
}

test('a plan waits in its pod, and is applied there after a restart of the runner', async () => {
  const { kept, url } = await keepStates();
  const main = `terraform {
  backend "http" {
    address = "${url}/state"
  }
}
resource "terraform_data" "one" {
  input = "made in a pod"
}
`;
  const template = await bed.addTemplate(
    { 'main.tf': main },
    { app: 'terraform', playbook: '' },
    { image },
  );
  const id = await bed.launch(template);
  await until(async () => (await bed.task(id)).status === 'waiting_confirmation');
  const [waiting] = await bed.pods();
  await bed.runner.kill();
  await bed.runner.start();
  await bed.call('POST', `${bed.project}/tasks/${id}/confirm`, {});
  const task = await bed.untilFinished(id);
  expect(await bed.log(id)).toContain('Apply complete! Resources: 1 added');
  expect(task.status).toBe('success');
  expect(kept.state).toContain('made in a pod');
  expect(waiting?.metadata?.labels?.['signalbox.dev/task']).toBe(String(id));
  await until(async () => (await bed.pods()).length === 0);
});

test('a plan that is rejected takes its pod with it', async () => {
  const { url } = await keepStates();
  const main = `terraform {
  backend "http" {
    address = "${url}/state"
  }
}
resource "terraform_data" "two" {}
`;
  const template = await bed.addTemplate(
    { 'main.tf': main },
    { app: 'terraform', playbook: '' },
    { image },
  );
  const id = await bed.launch(template);
  await until(async () => (await bed.task(id)).status === 'waiting_confirmation');
  await bed.call('POST', `${bed.project}/tasks/${id}/stop`, {});
  expect((await bed.untilFinished(id)).status).toBe('stopped');
  await until(async () => (await bed.pods()).length === 0);
});

test('without a backend the state would be lost, so nothing is applied', async () => {
  const template = await bed.addTemplate(
    { 'main.tf': 'resource "terraform_data" "three" {}\n' },
    { app: 'terraform', playbook: '' },
    { image },
  );
  const task = await bed.untilFinished(await bed.launch(template));
  expect(task.failure?.code).toBe('failure.pod_state');
});
