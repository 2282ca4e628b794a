// Reads the guide in docs/guide: its table of contents, its pages as HTML, and their text for the search. The build
// of the console puts them into modules; a mistake in a page ends the build.

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';

export const guideFolder = join(import.meta.dirname, '../../docs/guide');

export interface GuideSection {
  title: string;
  pages: { page: string; title: string; about: string }[];
}

/** A part of a page: HTML, or the text of a block that can be copied. */
type GuidePart = { html: string } | { code: string; language: string };

export interface GuidePage {
  page: string;
  title: string;
  headings: { id: string; text: string; depth: number }[];
  /** HTML in which `{{image:NAME}}` stands for the address of a picture of docs/images. */
  parts: GuidePart[];
  /** The text below each heading, for the search; the id is empty for the beginning of the page. */
  texts: { id: string; heading: string; text: string }[];
}

const fail = (where: string, what: string): never => {
  throw new Error(`docs/guide/${where}: ${what}`);
};

const read = (page: string): string => readFileSync(join(guideFolder, `${page}.md`), 'utf8');

/** The table of contents, from docs/guide/README.md. */
export function readContents(): GuideSection[] {
  const sections: GuideSection[] = [];
  for (const line of read('README').split('\n')) {
    const [, title] = /^## (.+)$/.exec(line) ?? [];
    if (title !== undefined) sections.push({ title, pages: [] });
    if (!line.startsWith('- ')) continue;
    const [, name, page, about] = /^- \[(.+)\]\(([\w-]+)\.md\): (.+)$/.exec(line) ?? [];
    if (name === undefined || page === undefined || about === undefined || sections.length === 0) {
      return fail('README.md', `this line is no entry of a section: ${line}`);
    }
    sections.at(-1)?.pages.push({ page, title: name, about });
  }
  return sections;
}

const marked = new Marked({ gfm: true });
// No automatic links: a text with an @ is no link.
marked.use({ tokenizer: { url: () => undefined } });

export const readPage = (page: string): GuidePage => renderPage(page, read(page));

export function renderPage(page: string, markdown: string): GuidePage {
  const tokens = marked.lexer(markdown);
  const [first] = tokens;
  if (first?.type !== 'heading' || first['depth'] !== 1) {
    return fail(`${page}.md`, 'the page does not begin with its title');
  }
  const writer = new PageWriter(page);
  for (const token of tokens.slice(1)) writer.add(token);
  return { page, title: plain([first]), ...writer.end() };
}

class PageWriter {
  private readonly page: string;
  private readonly headings: GuidePage['headings'] = [];
  private readonly texts: GuidePage['texts'] = [{ id: '', heading: '', text: '' }];
  private readonly parts: GuidePart[] = [];
  private held: Token[] = [];

  constructor(page: string) {
    this.page = page;
  }

  add(token: Token): void {
    if (token.type === 'code') {
      this.flush();
      const { text, lang = '' } = token as Tokens.Code;
      this.parts.push({ code: text, language: lang });
    } else this.held.push(token);
    if (token.type === 'heading') this.addHeading(token as Tokens.Heading);
    else {
      const last = this.texts.at(-1);
      if (last) last.text = `${last.text} ${plain([token])}`.trim();
    }
  }

  end(): Pick<GuidePage, 'headings' | 'parts' | 'texts'> {
    this.flush();
    return { headings: this.headings, parts: this.parts, texts: this.texts };
  }

  private addHeading(token: Tokens.Heading): void {
    const text = plain([token]);
    const id = headingId(text);
    if (this.headings.some((one) => one.id === id)) {
      fail(`${this.page}.md`, `two headings have the address #${id}`);
    }
    this.headings.push({ id, text, depth: token.depth });
    this.texts.push({ id, heading: text, text: '' });
  }

  private flush(): void {
    if (this.held.length === 0) return;
    this.parts.push({ html: toHtml(this.page, this.held) });
    this.held = [];
  }
}

/** The address of a heading, as git hosts make it too, so that a link works in both places. */
export const headingId = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

function toHtml(page: string, tokens: Token[]): string {
  const writer = new Marked({ gfm: true });
  writer.use({
    renderer: {
      heading(token) {
        const inner = this.parser.parseInline(token.tokens);
        return `<h${token.depth} id="${headingId(plain([token]))}" tabindex="-1">${inner}</h${token.depth}>\n`;
      },
      link({ href, tokens: words }) {
        return `<a ${linkTo(page, href)}>${this.parser.parseInline(words)}</a>`;
      },
      image({ href, text }) {
        return `<img src="{{image:${pictureName(page, href)}}}" alt="${escape(text)}" loading="lazy">`;
      },
      html: ({ text }) => fail(`${page}.md`, `HTML in the text: ${text.trim()}`),
    },
  });
  // A wide table is scrolled by itself, also by keyboard.
  return writer
    .parser(tokens)
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

/** The attributes of a link: inside the guide, or to another server in a new tab. */
function linkTo(page: string, href: string): string {
  if (/^https?:\/\//.test(href)) return `href="${escape(href)}" target="_blank" rel="noreferrer"`;
  if (href.startsWith('#')) return `href="/help/${page}${escape(href)}"`;
  const [, name, anchor = ''] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
  if (name === undefined || !existsSync(join(guideFolder, `${name}.md`))) {
    return fail(`${page}.md`, `links lead to other pages of the guide: ${href}`);
  }
  return `href="/help${name === 'README' ? '' : `/${name}`}${anchor}"`;
}

function pictureName(page: string, href: string): string {
  const name = basename(href);
  const isThere = existsSync(join(guideFolder, '../images', name));
  return isThere ? name : fail(`${page}.md`, `there is no picture ${href}`);
}

/** The words of tokens, without their marks. */
function plain(tokens: Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') return tableText(token as Tokens.Table);
      if (token.type === 'list') return plain((token as Tokens.List).items);
      if ('tokens' in token && token.tokens) return plain(token.tokens);
      return 'text' in token ? unescaped(String(token.text)) : '';
    })
    .join(tokens.some(({ type }) => blocks.has(type)) ? ' ' : '');
}

const blocks = new Set([
  'paragraph',
  'list',
  'list_item',
  'table',
  'code',
  'heading',
  'blockquote',
]);

const tableText = ({ header, rows }: Tokens.Table): string =>
  [header, ...rows].map((cells) => cells.map((cell) => plain(cell.tokens)).join(' ')).join(' ');

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
