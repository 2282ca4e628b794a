// Texts and headers as long as the head of a request may be, which is 16 KiB.

const length = 14_000;
const repeat = (text: string): string => text.repeat(Math.floor(length / text.length));

const parts = ['a', 'a+', '1,', '9', '%22', '%25_', '%28', '%5B', '%20', '%C3%84', '1&q=1&'];

/** Values of one parameter, as they stand in an address; the last one repeats a parameter. */
export const longTexts: string[] = parts.map(repeat);

export const longHeaders: Record<string, Record<string, string>> = {
  'a long token': { authorization: `Bearer ${repeat('a')}` },
  'many spaces before a token': { authorization: `Bearer${repeat(' ')}a` },
  'many cookies': { cookie: repeat('a=1; ') },
  'one cookie': { cookie: `session=${repeat('a')}` },
  languages: { 'accept-language': repeat('de;q=0.1,') },
  encodings: { 'accept-encoding': repeat('gzip;q=0.1,') },
  'entity tags': { 'if-none-match': repeat('"a",') },
  'addresses of proxies': { 'x-forwarded-for': repeat('192.0.2.1, ') },
  'a parent of a trace': { traceparent: `00-${repeat('0')}` },
  ranges: { range: `bytes=${repeat('0-1,')}` },
};
