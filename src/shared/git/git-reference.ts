// Valid values of a branch field: the exact name of a branch or tag, or a full commit id. Expressions that git would
// evaluate, such as `main~3` or `main^{/words}`, are refused.

type GitReference =
  | { kind: 'commit'; hash: string }
  /** Full names of refs, such as `refs/heads/main`, of which the first existing one is used. */
  | { kind: 'name'; refs: string[] };

const fullCommit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
const branches = 'refs/heads/';
const tags = 'refs/tags/';

/** Null: not an exact name. A full commit id is always a commit; a branch precedes a tag. */
export function readGitReference(text: string): GitReference | null {
  if (fullCommit.test(text)) return { kind: 'commit', hash: text.toLowerCase() };
  const space = [branches, tags].find((start) => text.startsWith(start));
  if (space !== undefined) {
    return isName(text.slice(space.length)) ? { kind: 'name', refs: [text] } : null;
  }
  if (!isName(text) || text.startsWith('refs/')) return null;
  return { kind: 'name', refs: [branches + text, tags + text] };
}

// The characters that git allows in no name: those of revision expressions and patterns, and controls.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const neverInNames = /[\u0000-\u0020\u007f~^:?*[\\]/;

/** The rules of `git check-ref-format --branch`. */
function isName(text: string): boolean {
  if (text === '@' || text === 'HEAD' || text.startsWith('-') || text.endsWith('.')) return false;
  if (neverInNames.test(text) || text.includes('..') || text.includes('@{')) return false;
  return text
    .split('/')
    .every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
