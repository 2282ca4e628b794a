// Sends requests to the side-car of a pod: each becomes a file that is complete when it has its name.

import { randomUUID } from 'node:crypto';
import { podFolders, sideCarName } from '../pods/pod-folders.ts';
import type { SideCarRequest } from '../side-car/requests.ts';
import type { Cluster } from './cluster.ts';

// The side-car may not have begun: it finds what waits for it.
const script = `umask 077
mkdir -p "$0"
head -c "$2" >"$0/.$1" && mv "$0/.$1" "$0/$1"`;

/** Throws if it is not known whether the side-car has received the request. */
export async function sendRequest(
  cluster: Cluster,
  pod: string,
  request: SideCarRequest,
): Promise<void> {
  const text = JSON.stringify(request);
  const name = `${Date.now()}-${randomUUID()}`;
  const length = String(Buffer.byteLength(text));
  const command = ['/bin/sh', '-c', script, podFolders.requests, name, length];
  await cluster.send({ pod, container: sideCarName, command, text });
}
