// The requests that set the status of a commit at GitHub, GitLab, Gitea and Forgejo.

import { readStatusPlace, type StatusHost } from '#shared/git/repository-url.ts';
import type { OutboundRequest } from '../lib/outbound.ts';

export type CommitState = 'pending' | 'success' | 'failure' | 'stopped';

export interface CommitStatus {
  /** The address of the repository. */
  url: string;
  token: string;
  commit: string;
  state: CommitState;
  /** What the status is about; a later status of the same name replaces it. */
  name: string;
  description: string;
  /** The address of the task; null when the server does not know its own address. */
  link: string | null;
}

interface Host {
  /** The words of the host for the states. */
  states: Record<CommitState, string>;
  headers: (token: string) => Record<string, string>;
  /** The names of the fields for the name and the address of the task. */
  fields: (status: CommitStatus) => object;
  address: (origin: string, path: string[], commit: string) => string;
}

// The hosts refuse longer texts.
const MAX_NAME_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 140;

const context = ({ name, link }: CommitStatus) => ({
  context: name.slice(0, MAX_NAME_LENGTH),
  ...(link !== null && { target_url: link }),
});

const states = { pending: 'pending', success: 'success', failure: 'failure', stopped: 'error' };

const encoded = (path: string[]): string => path.map(encodeURIComponent).join('/');

const hosts: Record<StatusHost, Host> = {
  github: {
    states,
    headers: (token) => ({
      Authorization: `Bearer ${token}`,
      Accept: 'application/vnd.github+json',
      'X-GitHub-Api-Version': '2022-11-28',
    }),
    fields: context,
    address(origin, path, commit) {
      const api = origin === 'https://github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
      return `${api}/repos/${encoded(path)}/statuses/${commit}`;
    },
  },
  gitlab: {
    states: { pending: 'pending', success: 'success', failure: 'failed', stopped: 'canceled' },
    headers: (token) => ({ 'PRIVATE-TOKEN': token }),
    fields: ({ name, link }) => ({
      name: name.slice(0, MAX_NAME_LENGTH),
      ...(link !== null && { target_url: link }),
    }),
    // Groups may be nested, so the whole path is one part of the address.
    address: (origin, path, commit) =>
      `${origin}/api/v4/projects/${encodeURIComponent(path.join('/'))}/statuses/${commit}`,
  },
  gitea: {
    states,
    headers: (token) => ({ Authorization: `token ${token}` }),
    fields: context,
    // What comes before owner and name is the folder that the host itself is served from.
    address(origin, path, commit) {
      const base = [origin, ...path.slice(0, -2).map(encodeURIComponent)].join('/');
      return `${base}/api/v1/repos/${encoded(path.slice(-2))}/statuses/${commit}`;
    },
  },
};

/** The request that sets the status; null when the address is not one of a repository at a host. */
export function statusRequest(kind: StatusHost, status: CommitStatus): OutboundRequest | null {
  const place = readStatusPlace(status.url);
  if (place === null) return null;
  const { states: words, headers, fields, address } = hosts[kind];
  const body = JSON.stringify({
    state: words[status.state],
    description: status.description.slice(0, MAX_DESCRIPTION_LENGTH),
    ...fields(status),
  });
  return {
    url: address(place.origin, place.path, status.commit),
    method: 'POST',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'User-Agent': 'Signalbox',
      ...headers(status.token),
    },
    body,
  };
}

/** Whether GitLab refused a status because the commit has it already. */
export const isKnownAlready = (kind: StatusHost, answer: { status: number; body: string }) =>
  kind === 'gitlab' && answer.status === 400 && answer.body.includes('Cannot transition status');
