// The certificates of directories that tests start.

import { execFileSync } from 'node:child_process';

/** Makes two authorities, `ca` and `other`, and a certificate `server` for this address, signed by the first. */
export function makeCertificates(folder: string, address = '127.0.0.1'): void {
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  for (const name of ['ca', 'other']) {
    const names = ['-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`];
    openssl('req', '-x509', ...newKey, ...names);
  }
  const server = ['-keyout', 'server.key', '-out', 'server.pem', '-subj', '/CN=directory'];
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', `subjectAltName=IP:${address}`];
  openssl('req', '-x509', ...newKey, ...server, ...by);
}
