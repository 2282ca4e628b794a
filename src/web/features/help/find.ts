// The search of the guide. It is lazy-loaded, because it contains the text of all pages.

import MiniSearch from 'minisearch';
import texts from 'virtual:guide-texts';

export interface GuideMatch {
  page: string;
  id: string;
  title: string;
  heading: string;
  /** The text around the first match. */
  excerpt: string;
}

const index = new MiniSearch<(typeof texts)[number] & { place: number }>({
  idField: 'place',
  fields: ['title', 'heading', 'text'],
  searchOptions: {
    boost: { title: 3, heading: 3 },
    // Prefers the beginning of a page to its sections.
    boostDocument: (place) => (texts[Number(place)]?.id === '' ? 2 : 1),
    prefix: true,
    // Tolerates typing errors in longer words.
    fuzzy: (word) => (word.length > 5 ? 0.2 : false),
    combineWith: 'AND',
  },
});
index.addAll(texts.map((text, place) => ({ ...text, place })));

const most = 12;

export function find(query: string): GuideMatch[] {
  return index
    .search(query)
    .slice(0, most)
    .flatMap(({ id: place, terms }) => {
      const found = texts[Number(place)];
      if (!found) return [];
      const { page, id, title, heading, text } = found;
      return [{ page, id, title, heading, excerpt: excerptOf(text, terms) }];
    });
}

const around = 70;

/** About two lines of the text, with the first of these words in their middle. */
export function excerptOf(text: string, words: string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const middle = Math.min(...places, text.length);
  if (text.length <= 2 * around) return text;
  const wanted = middle === text.length ? 0 : Math.max(0, middle - around);
  const start = wanted === 0 ? 0 : text.indexOf(' ', wanted) + 1;
  const end = text.lastIndexOf(' ', start + 2 * around);
  const cut = text.slice(start, end > start ? end : undefined);
  return `${start > 0 ? '… ' : ''}${cut}${start + cut.length < text.length ? ' …' : ''}`;
}
