// Which values of plain settings and variables a list of changes shows. Members can read plain variables,
// but people put passwords there too, and replace them later.

const MAX_VALUE_LENGTH = 300;
/** How much of a value is searched for secrets. */
const MAX_READ_CHARACTERS = 2000;

const secretName =
  /pass|pwd|secret|token|credential|private|(?:api|access|encryption|signing|account|shared|ssh)[-_ ]?key|_key$|^key$/i;

/** Whether a URL in the text has a login and password. */
const hasLogin = (text: string): boolean =>
  [...text.matchAll(/:\/\//g)].some(({ index }) =>
    /^[^\s@:]*:[^\s@]*@/.test(text.slice(index + '://'.length)),
  );

/** Texts that look like keys. */
const secretValue = /-----BEGIN|\bBearer\s|\$ANSIBLE_VAULT/i;

/** The value, shortened; null: its name or its text suggests a secret. */
export function shownValue(name: string, value: string): string | null {
  const read = value.slice(0, MAX_READ_CHARACTERS);
  if (secretName.test(name) || hasLogin(read) || secretValue.test(read)) return null;
  // Names of secrets inside a list, an object or arguments.
  if (/["=:\s{]/.test(read) && secretName.test(read)) return null;
  return value.length > MAX_VALUE_LENGTH
    ? `${value.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…`
    : value.toWellFormed();
}
