// The authority of a cluster, and the one certificate that it needs: of the API server, of the kubelet's server, and
// with which the API server calls the kubelet. The other parts have tokens.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The users of the parts, and their groups. */
const users = {
  admin: ['admin', 'system:masters'],
  'controller-manager': ['system:kube-controller-manager', ''],
  scheduler: ['system:kube-scheduler', ''],
  kubelet: ['system:node:localhost', 'system:nodes'],
};

/** The text of a kubeconfig with one context. */
export function kubeconfig(folder: string, address: string, user: string, token: string): string {
  const authority = readFileSync(join(folder, 'ca.crt')).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'test', cluster: { server: address, 'certificate-authority-data': authority } },
    ],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user } }],
    'current-context': 'test',
  });
}

/** Makes certificates, tokens and the kubeconfigs of the parts. `inPods`: the address of the API server for pods. */
export function makeCertificates(folder: string, address: string, inPods: string): void {
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=cluster');
  const extensions = [
    `subjectAltName=IP:127.0.0.1,IP:${inPods},DNS:localhost`,
    'extendedKeyUsage=serverAuth,clientAuth',
  ].flatMap((extension) => ['-addext', extension]);
  const files = [
    '-keyout',
    'server.key',
    '-out',
    'server.crt',
    '-CA',
    'ca.crt',
    '-CAkey',
    'ca.key',
  ];
  openssl('req', '-x509', ...key, ...files, '-subj', '/O=system:masters/CN=server', ...extensions);
  openssl('genrsa', '-out', 'accounts.key', '2048');
  const lines = Object.entries(users).map(([part, [user = '', group = '']]) => {
    const token = randomBytes(32).toString('hex');
    writeFileSync(join(folder, `${part}.kubeconfig`), kubeconfig(folder, address, user, token));
    return `${token},${user},${part},"${group}"\n`;
  });
  writeFileSync(join(folder, 'tokens.csv'), lines.join(''));
}
