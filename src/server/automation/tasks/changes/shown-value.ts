// Which values of plain settings and variables are repeated where changes are told. Variables are
// plain texts that members can read, but people put passwords there too, and replace them later.

const MAX_VALUE_LENGTH = 300;
/** Characters: so much of a value is searched for secrets, more than is shown of it. */
const MAX_READ_CHARACTERS = 2000;

const secretName =
  /pass|pwd|secret|token|credential|private|(?:api|access|encryption|signing|account|shared|ssh)[-_ ]?key|_key$|^key$/i;

/** Whether an address in the text has a login and password. */
const hasLogin = (text: string): boolean =>
  [...text.matchAll(/:\/\//g)].some(({ index }) =>
    /^[^\s@:]*:[^\s@]*@/.test(text.slice(index + '://'.length)),
  );

/** Texts that look like keys. */
const secretValue = /-----BEGIN|\bBearer\s|\$ANSIBLE_VAULT/i;

/** A value as far as it is shown; null: its name or its text says that it may be a secret. */
export function shownValue(name: string, value: string): string | null {
  const read = value.slice(0, MAX_READ_CHARACTERS);
  if (secretName.test(name) || hasLogin(read) || secretValue.test(read)) return null;
  // Names of secrets inside a list, an object or arguments.
  if (/["=:\s{]/.test(read) && secretName.test(read)) return null;
  return value.length > MAX_VALUE_LENGTH
    ? `${value.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…`
    : value.toWellFormed();
}
