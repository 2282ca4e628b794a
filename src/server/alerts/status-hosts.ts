// Commit status requests for GitHub, GitLab, Gitea and Forgejo.

import { readStatusPlace, type StatusHost } from '#shared/git/repository-url.ts';
import { jsonRequest, type OutboundRequest } from '../lib/outbound.ts';

export type CommitState = 'pending' | 'success' | 'failure' | 'stopped';

export interface CommitStatus {
  url: string;
  token: string;
  commit: string;
  state: CommitState;
  /** The context of the status; a later one replaces it. */
  name: string;
  description: string;
  /** The address of the task; null when the public address is not configured. */
  link: string | null;
}

interface Host {
  /** The host's names of the states. */
  states: Record<CommitState, string>;
  headers: (token: string) => Record<string, string>;
  fields: (status: CommitStatus) => object;
  address: (origin: string, path: string[], commit: string) => string;
}

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
    // The path of a project with nested groups is one segment.
    address: (origin, path, commit) =>
      `${origin}/api/v4/projects/${encodeURIComponent(path.join('/'))}/statuses/${commit}`,
  },
  gitea: {
    states,
    headers: (token) => ({ Authorization: `token ${token}` }),
    fields: context,
    // The host may be served from a subfolder.
    address(origin, path, commit) {
      const base = [origin, ...path.slice(0, -2).map(encodeURIComponent)].join('/');
      return `${base}/api/v1/repos/${encoded(path.slice(-2))}/statuses/${commit}`;
    },
  },
};

/** Null when the address is not a repository of a supported host. */
export function statusRequest(kind: StatusHost, status: CommitStatus): OutboundRequest | null {
  const place = readStatusPlace(status.url);
  if (place === null) return null;
  const { states: words, headers, fields, address } = hosts[kind];
  const body = {
    state: words[status.state],
    description: status.description.slice(0, MAX_DESCRIPTION_LENGTH),
    ...fields(status),
  };
  const url = address(place.origin, place.path, status.commit);
  return jsonRequest(url, body, headers(status.token));
}

/** GitLab refuses a status that the commit has already. */
export const isKnownAlready = (kind: StatusHost, answer: { status: number; body: string }) =>
  kind === 'gitlab' && answer.status === 400 && answer.body.includes('Cannot transition status');
