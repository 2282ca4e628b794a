// Lists the commits between two commits of a mirror.

import { MAX_COMMITS, type CommitRange } from '#shared/api/task-changes.ts';
import { git, type GitOptions } from './git.ts';

// Authors choose how long subjects are.
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_AUTHOR_LENGTH = 200;
const MAX_SUBJECT_LENGTH = 300;

const fields = ['%H', '%an', '%ct', '%s'];

/** `before` and `after` are full hashes of commits that the mirror has. */
export async function listCommitsBetween(
  before: string,
  after: string,
  given: GitOptions,
): Promise<CommitRange> {
  const at = { ...given, outputLimit: MAX_BYTES };
  const counted = ['rev-list', '--left-right', '--count', `${before}...${after}`, '--'];
  const [removed = 0, added = 0] = (await git(counted, at)).trim().split('\t').map(Number);
  const [from, to] = added > 0 ? [before, after] : [after, before];
  const format = `--format=${fields.join('%x00')}`;
  const most = `--max-count=${MAX_COMMITS}`;
  const printed = await git(['log', '-z', most, format, to, `^${from}`, '--'], at);
  return { added, removed, commits: readCommits(printed.split('\0')) };
}

function readCommits(texts: string[]): CommitRange['commits'] {
  const commits: CommitRange['commits'] = [];
  for (let index = 0; index + fields.length <= texts.length; index += fields.length) {
    const [hash = '', author = '', seconds = '', subject = ''] = texts.slice(index);
    commits.push({
      hash,
      author: cleaned(author, MAX_AUTHOR_LENGTH),
      time: timeOf(seconds),
      subject: cleaned(subject, MAX_SUBJECT_LENGTH),
    });
  }
  return commits;
}

const lastSecond = Date.UTC(9999, 11, 31) / 1000;

/** Authors choose the times of their commits, also invalid ones. */
const timeOf = (seconds: string): string =>
  new Date(Math.min(Math.max(Number(seconds) || 0, 0), lastSecond) * 1000).toISOString();

// Includes bidirectional controls, which could disguise other subjects.
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

const cleaned = (text: string, longest: number): string =>
  text.replaceAll(controls, ' ').slice(0, longest).toWellFormed().trim();
