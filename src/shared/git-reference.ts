// What a field for a branch may name: one branch, one tag or one commit, exactly. Whatever git would
// have to work out, such as `main~3` or `main^{/words}`, is none of these.

type GitReference =
  | { kind: 'commit'; hash: string }
  /** Whole names of refs. The first one that exists counts. */
  | { kind: 'name'; refs: string[] };

const fullCommit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
const branches = 'refs/heads/';
const tags = 'refs/tags/';

/** Null: it is no exact name. A full commit is always a commit; a branch comes before a tag. */
export function readGitReference(text: string): GitReference | null {
  if (fullCommit.test(text)) return { kind: 'commit', hash: text.toLowerCase() };
  const space = [branches, tags].find((start) => text.startsWith(start));
  if (space !== undefined) {
    return isName(text.slice(space.length)) ? { kind: 'name', refs: [text] } : null;
  }
  if (!isName(text) || text.startsWith('refs/')) return null;
  return { kind: 'name', refs: [branches + text, tags + text] };
}

// The characters that git allows in no name: those of revisions and of patterns, and controls.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const neverInNames = /[\u0000-\u0020\u007f~^:?*[\\]/;

/** As `git check-ref-format --branch` has it. */
function isName(text: string): boolean {
  if (text === '@' || text === 'HEAD' || text.startsWith('-') || text.endsWith('.')) return false;
  if (neverInNames.test(text) || text.includes('..') || text.includes('@{')) return false;
  return text
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
