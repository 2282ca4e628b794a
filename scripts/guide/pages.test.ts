import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { helpTopics } from '../../src/web/ui/dialogs/help-topics.ts';
import { headingId, readContents, readPage, renderPage } from './pages.ts';

const files = globSync('docs/guide/*.md').map((path) => basename(path, '.md'));
const listed = readContents().flatMap(({ pages }) => pages);

test('the table of contents has every page once, by the beginning of its title', () => {
  const expected = files.filter((name) => name !== 'README').toSorted();
  expect(listed.map(({ page }) => page).toSorted()).toEqual(expected);
  for (const { page, title } of listed) {
    expect([page, readPage(page).title.startsWith(title)]).toEqual([page, true]);
  }
});

/** The addresses of all pages and headings, as links write them. */
const addresses = new Set(
  files.flatMap((name) => {
    const at = name === 'README' ? '/help' : `/help/${name}`;
    return [at, ...readPage(name).headings.map(({ id }) => `${at}#${id}`)];
  }),
);

describe.each(files)('%s', (name) => {
  const html = readPage(name)
    .parts.map((part) => ('html' in part ? part.html : ''))
    .join('');

  test('links to pages and headings that exist', () => {
    const links = [...html.matchAll(/href="(\/help[^"]*)"/g)].map(([, href = '']) => href);
    expect(links.filter((href) => !addresses.has(href))).toEqual([]);
  });
});

test('the console links to pages and headings that exist', () => {
  const links = Object.values(helpTopics).map((topic) => `/help/${topic}`);
  expect(links.filter((href) => !addresses.has(href))).toEqual([]);
});

test('every dialog of a noun says what the guide has about it', () => {
  const dialogs = globSync('src/web/features/**/*.tsx').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/<Dialog\b[^]*?\n? *>\n/g)].map(([text]) => [
      path,
      text,
    ]),
  );
  expect(dialogs.length).toBeGreaterThan(5);
  expect(dialogs.filter(([, text]) => !text?.includes('help="'))).toEqual([]);
});

test('a page is HTML, blocks that can be copied, and texts for the search', () => {
  const page = renderPage(
    'sample',
    [
      '# A *sample*',
      'See [tasks](tasks.md#how), [below](#the-end), [docs](https://example.com/a?b=1&c=2).',
      '## The end',
      '| a | b |\n|---|---|\n| `x <y>` | 2 |',
      '```sh\necho "<hello>"\n```',
      'Write to postgres://login@db.example.com.',
    ].join('\n\n'),
  );
  expect(page).toEqual({
    page: 'sample',
    title: 'A sample',
    headings: [{ id: 'the-end', text: 'The end', depth: 2 }],
    parts: [
      {
        html: expect.stringContaining(
          'See <a href="/help/tasks#how">tasks</a>, <a href="/help/sample#the-end">below</a>, <a href="https://example.com/a?b=1&amp;c=2" target="_blank" rel="noreferrer">docs</a>.',
        ),
      },
      { code: 'echo "<hello>"', language: 'sh' },
      { html: '<p>Write to postgres://login@db.example.com.</p>\n' },
    ],
    texts: [
      { id: '', heading: '', text: 'See tasks, below, docs.' },
      {
        id: 'the-end',
        heading: 'The end',
        text: 'a b x <y> 2 echo "<hello>" Write to postgres://login@db.example.com.',
      },
    ],
  });
  expect('html' in (page.parts[0] ?? {}) && page.parts[0]).toMatchObject({
    html: expect.stringContaining(
      '<h2 id="the-end" tabindex="-1">The end</h2>\n<div class="table" tabindex="0"><table>',
    ),
  });
});

test.each([
  ['Text', 'does not begin with its title'],
  ['# A\n\n## B\n\n## B', 'two headings have the address #b'],
  ['# A\n\n<script>alert(1)</script>', 'HTML in the text'],
  ['# A\n\na <b>bold</b> word', 'HTML in the text'],
  ['# A\n\n[x](nowhere.md)', 'links lead to other pages of the guide: nowhere.md'],
  ['# A\n\n[x](../../SECURITY.md)', 'links lead to other pages of the guide'],
  ['# A\n\n[x](javascript:alert(1))', 'links lead to other pages of the guide'],
  ['# A\n\n![x](../images/nothing.webp)', 'there is no picture'],
])('%j is refused', (text, words) => {
  expect(() => renderPage('sample', text)).toThrow(words);
});

test('addresses of headings are those of git hosts', () => {
  expect(headingId('When the server does not start')).toBe('when-the-server-does-not-start');
  expect(headingId('Failed sign-ins, and `fail2ban`: how?')).toBe(
    'failed-sign-ins-and-fail2ban-how',
  );
});
