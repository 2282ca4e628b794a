// Sends requests to the side-car of a pod: each becomes a file that is complete when it has its name.

import { randomUUID } from 'node:crypto';
import { podFolders, sideCarName } from '../pods/pod-folders.ts';
import type { SideCarRequest } from '../side-car/requests.ts';
import type { Cluster } from './cluster.ts';

const script = `until [ -d "$0" ]; do sleep 0.05; done
umask 077
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
