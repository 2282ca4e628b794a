// Addresses in a line of a log. Only http and https become links. Pure functions.

const address = /https?:\/\/[^\s<>"'`]+/g;
const atEnd = '.,;:!?*)]}';

/** The URL if it is http or https; otherwise undefined. */
export function safeAddress(text: string): string | undefined {
  // `URL.parse` is missing in older browsers.
  try {
    const { protocol, href } = new URL(text);
    return /^https?:$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

interface LinkedPart {
  text: string;
  href?: string;
}

/** Splits a text into URLs and the text between them. */
export function withLinks(text: string): LinkedPart[] {
  if (!text.includes('://')) return [{ text }];
  const parts: LinkedPart[] = [];
  let end = 0;
  for (const { index, 0: found } of text.matchAll(address)) {
    const shown = withoutEnd(found);
    const href = safeAddress(shown);
    if (href === undefined) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: shown, href });
    end = index + shown.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Removes punctuation after a URL; a closing bracket stays if the URL has the opening one. */
function withoutEnd(found: string): string {
  let end = found.length;
  while (end > 0 && atEnd.includes(found.charAt(end - 1))) {
    if (found.charAt(end - 1) === ')' && found.lastIndexOf('(', end) >= 0) break;
    end -= 1;
  }
  return found.slice(0, end);
}

// A host with a domain, perhaps behind http:// or https://.
const namedHost = /^(?:https?:\/\/)?([\w-]+(?:\.[\w-]+)+)/;

/** The host of a link whose text names another host; null otherwise. */
export function otherHost(text: string, href: string): string | null {
  const { host, hostname } = new URL(href);
  const named = namedHost.exec(text.trim())?.[1]?.toLowerCase();
  return named === undefined || named === hostname || named === host ? null : host;
}
