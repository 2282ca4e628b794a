interface RawJson {
  rawJSON?: (source: string) => unknown;
}

/** Numbers keep their digits, if the browser supports that. */
function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const { rawJSON } = JSON as RawJson;
  const isNumber = typeof value === 'number' && context?.source !== undefined;
  return isNumber && rawJSON ? rawJSON(context.source ?? '') : value;
}

/** Formats JSON with indentation; null for invalid JSON. */
export function prettyJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text, exactNumber), null, 2);
  } catch {
    return null;
  }
}
