// Reads CHANGELOG.md, whose form is that of keepachangelog.com.

export interface ChangelogSection {
  /** `Unreleased`, or a version. */
  name: string;
  /** The day of the release, such as 2026-11-25; null: not released. */
  date: string | null;
  /** The text below the heading. */
  text: string;
}

const headings = ['Added', 'Changed', 'Fixed', 'Removed', 'Security'];

export function sectionsOf(changelog: string): ChangelogSection[] {
  const parts = changelog.split(/^## /m).slice(1);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    const [heading, text] = end === -1 ? [part, ''] : [part.slice(0, end), part.slice(end)];
    const found = /^\[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/.exec(heading);
    return { name: found?.[1] ?? `## ${heading}`, date: found?.[2] ?? null, text: text.trim() };
  });
}

/** The section of a version with a date, or null. */
export const releaseOf = (changelog: string, version: string): ChangelogSection | null =>
  sectionsOf(changelog).find(({ name, date }) => name === version && date !== null) ?? null;

/** What is wrong with the form of a changelog; empty: nothing. */
export function faultsOf(changelog: string): string[] {
  const sections = sectionsOf(changelog);
  const [first, ...released] = sections;
  return [
    ...(first?.name === 'Unreleased' && first.date === null
      ? []
      : ['The first section is not [Unreleased].']),
    ...released.flatMap(({ name, date }) => releaseFaults(name, date)),
    ...orderFaults(released),
    ...sections.flatMap(({ name, text }) => textFaults(name, text)),
  ];
}

function releaseFaults(name: string, date: string | null): string[] {
  if (!/^\d+\.\d+\.\d+$/.test(name)) return [`"${name}" is no version in brackets.`];
  if (date === null || Number.isNaN(Date.parse(date))) return [`${name} has no date.`];
  return [];
}

function orderFaults(released: ChangelogSection[]): string[] {
  const numbers = ({ name }: ChangelogSection): number[] => name.split('.').map(Number);
  const isNewer = (a: number[], b: number[]): boolean => {
    const at = a.findIndex((number, index) => number !== b[index]);
    return at !== -1 && (a[at] ?? 0) > (b[at] ?? 0);
  };
  return released.flatMap((section, index) => {
    const next = released[index + 1];
    if (next === undefined || isNewer(numbers(section), numbers(next))) return [];
    return [`${section.name} stands before ${next.name}.`];
  });
}

function textFaults(name: string, text: string): string[] {
  const found = [...text.matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading);
  const places = found.map((heading) => headings.indexOf(heading));
  const isOrdered = places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0));
  const outside = text.split(/^### .*$/m).flatMap((part, index) => {
    const lines = part.split('\n').filter((line) => line !== '');
    if (index > 0 && lines.length === 0) return [`${name}: a heading has no lines.`];
    const isList = lines.every((line) => (index > 0 ? /^(?:- | {2})\S/.test(line) : false));
    return isList ? [] : [`${name}: some text is neither a heading nor a list.`];
  });
  return [
    ...(places.includes(-1) ? [`${name}: a heading is none of ${headings.join(', ')}.`] : []),
    ...(isOrdered ? [] : [`${name}: the order of headings is ${headings.join(', ')}.`]),
    ...outside,
  ];
}
