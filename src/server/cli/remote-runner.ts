// Runs a remote runner, which has no database.

import type { Remote } from '../../runner/client/identity.ts';
import { proxyWords } from '../../node/net/proxies.ts';
import { startRemote } from '../../runner/remote.ts';
import { print, printError, type Beginning } from './surroundings.ts';

export async function runRemote(
  { at, config, log, signalled }: Beginning,
  remote: Remote,
): Promise<number> {
  const runner = await startRemote(config, remote, log);
  try {
    if (remote.serverUrl.startsWith('http:')) {
      print(at, `What is sent to ${remote.serverUrl} is not encrypted. Use https.`);
    }
    const proxies = proxyWords(config.proxies);
    if (proxies !== null) print(at, proxies);
    print(at, `Data folder: ${config.dataDir}`);
    print(at, `Runner ${runner.name} works for ${remote.serverUrl}`);
    const words = await Promise.race([signalled, runner.shutOut]);
    if (typeof words !== 'string') return 0;
    printError(at, words);
    return 1;
  } finally {
    await runner.close();
  }
}
