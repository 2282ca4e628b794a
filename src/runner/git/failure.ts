// Adds an explanation for users to error messages of git.

import { GitError } from './git.ts';
import { isMissing } from './ssh-errors.ts';

export const hostKeyWords = [
  'The key of the ssh host is not the one that this project has pinned: the host has got a new',
  'key, or another one answers in its place. If the change is expected, forget the pinned key',
  'in the host keys of the project and launch again.',
];

/** Whether ssh reports that a host has another key than before. */
export const isHostKeyFailure = (text: string): boolean =>
  /REMOTE HOST IDENTIFICATION HAS CHANGED/.test(text);

export const noLoginWords =
  'The server asks for a login and password, and the key of the repository has none for it.';

/** Messages of curl and git-lfs about a proxy. */
const ofProxy =
  /CONNECT tunnel failed|from proxy after CONNECT|resolve proxy|Proxy CONNECT|proxyconnect|Proxy Authentication/;

const explanations: [isMeant: (text: string) => boolean, words: string[]][] = [
  [isHostKeyFailure, hostKeyWords],
  [
    (text) => text.split('\n').some((line) => isMissing('git-lfs-authenticate', line)),
    [
      'The ssh server of the repository has no Git LFS. Use the https address of the repository, or name',
      'the https address of its files in .lfsconfig.',
    ],
  ],
  [
    (text) => ofProxy.test(text),
    [
      'The proxy of the server (HTTPS_PROXY, HTTP_PROXY) does not let it through. Check its address and its',
      'login; NO_PROXY names the hosts that are reached without it.',
    ],
  ],
  [
    (text) => /Authentication failed for/.test(text),
    ["The server refused the login and password of the repository's key."],
  ],
  [
    (text) => /could not read (?:Username|Password)|unable to read askpass/.test(text),
    [noLoginWords],
  ],
  [
    (text) => /certificate/.test(text) && /verif|SSL|TLS/.test(text),
    [
      'The certificate of the server is not trusted. If a private authority has signed it, name',
      "the authority's file in the setting SIGNALBOX_GIT_CA_FILE.",
    ],
  ],
];

export async function explaining<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const [, words = []] = explanations.find(([isMeant]) => isMeant(error.message)) ?? [];
    throw new Error([...words, error.message].join('\n'), { cause: error });
  }
}
