// Converts the headers of a request into text, and back.

export const headersText = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

interface ReadHeaders {
  headers: Record<string, string>;
  /** The line number of the first invalid header, from 1; 0 if all are valid. */
  wrongLine: number;
}

/** Reads one header per line; ignores empty lines. */
export function readHeaders(text: string): ReadHeaders {
  const headers: [name: string, value: string][] = [];
  const read = (wrongLine: number) => ({ headers: Object.fromEntries(headers), wrongLine });
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const end = line.indexOf(':');
    const name = line.slice(0, Math.max(0, end)).trim();
    if (name === '' || /\s/.test(name)) return read(index + 1);
    headers.push([name, line.slice(end + 1).trim()]);
  }
  return read(0);
}
