// Reads claims: untrusted data, accessed by name only.

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a name, or at a dotted path. */
export function valueAt(claims: Record<string, unknown>, path: string): unknown {
  // Some names are URLs, which contain dots.
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Undefined when the claim is missing or has no texts. */
export function textsAt(claims: Record<string, unknown>, path: string): string[] | undefined {
  const value = valueAt(claims, path);
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.filter((one) => ['string', 'number', 'boolean'].includes(typeof one));
  return texts.length > 0 || Array.isArray(value) ? texts.map(String) : undefined;
}

export function firstText(
  claims: Record<string, unknown>,
  names: string[],
): { name: string; text: string } | null {
  for (const name of names) {
    const value = valueAt(claims, name);
    const text = typeof value === 'string' ? withoutControls(value).trim() : '';
    if (text !== '') return { name, text: text.slice(0, 255) };
  }
  return null;
}

// oxlint-disable-next-line no-control-regex -- control characters are what is taken out
const withoutControls = (text: string): string => text.replace(/[\u0000-\u001f\u007f]/g, '');
