// Texts and headers as long as the head of a request may be, which is 16 KiB.

const length = 14_000;
const repeat = (text: string): string => text.repeat(Math.floor(length / text.length));

/** Values of one parameter, as they stand in an address. */
export const longTexts: Record<string, string> = {
  'one word': repeat('a'),
  words: repeat('a+'),
  'list of numbers': repeat('1,'),
  'one number': repeat('9'),
  quotes: repeat('%22'),
  'signs of patterns': repeat('%25_'),
  brackets: repeat('%28'),
  'JSON in itself': repeat('%5B'),
  spaces: repeat('%20'),
  'capital letters': repeat('%C3%84'),
  'the same parameter': repeat('1&q=1&'),
};

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
