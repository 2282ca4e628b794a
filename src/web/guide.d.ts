// What scripts/guide/plugin.ts makes of docs/guide.

declare module 'virtual:guide' {
  /** A part of a page: HTML of our own, or the text of a block that can be copied. */
  export type GuidePart = { html: string } | { code: string; language: string };

  export interface GuidePage {
    page: string;
    title: string;
    headings: { id: string; text: string; depth: number }[];
    parts: GuidePart[];
  }

  export const sections: {
    title: string;
    pages: { page: string; title: string; about: string }[];
  }[];
  export const loaders: Record<string, () => Promise<{ default: GuidePage }>>;
}

declare module 'virtual:guide-texts' {
  /** The text below each heading; `id` and `heading` are empty for the beginning of a page. */
  const texts: { page: string; title: string; id: string; heading: string; text: string }[];
  export default texts;
}
