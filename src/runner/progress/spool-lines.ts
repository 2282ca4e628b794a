// Finds the lines of the log at which plays, tasks and results begin, from their positions in the spool. Lines are
// counted apart from the log itself, so that the log is never delayed. An index of the counts every few kilobytes
// makes each lookup one short read.

import { open } from 'node:fs/promises';
import { shownText } from '#shared/terminal.ts';
import type { SectionPosition, RunSection } from './run-sections.ts';

const readBytes = 128 * 1024;
const blockBytes = 16 * 1024;
/** How many bytes are searched for the text. */
const MAX_TEXT_BYTES = 64 * 1024;
/** How many characters of a name have to be in its heading. */
const searchedName = 80;
const newLine = 0x0a;

type SpoolLines = Awaited<ReturnType<typeof openSpoolLines>>;

/** `linesBefore`: the number of lines of the log before the first one of the spool. */
async function openSpoolLines(path: string, linesBefore: number) {
  const file = await open(path, 'a+');
  const read = async (from: number, length: number): Promise<Buffer> => {
    const buffer = Buffer.allocUnsafe(length);
    const { bytesRead } = await file.read(buffer, 0, length, from);
    return buffer.subarray(0, bytesRead);
  };
  /** The number of lines that end before each block. */
  const counts = [0];
  /** Extends the index up to a byte; returns the last complete block at or before it. */
  const countBlocks = async (byte: number): Promise<number> => {
    const wanted = Math.floor(byte / blockBytes);
    while (counts.length <= wanted) {
      const bytes = await read((counts.length - 1) * blockBytes, readBytes);
      if (bytes.length < blockBytes) break;
      for (let at = 0; at + blockBytes <= bytes.length; at += blockBytes) {
        counts.push((counts.at(-1) ?? 0) + countLines(bytes.subarray(at, at + blockBytes)));
      }
    }
    return Math.min(wanted, counts.length - 1);
  };
  /** The number of lines that end before a byte, and the text after it. */
  const textAt = async (
    byte: number,
    length: number,
  ): Promise<{ before: number; text: string }> => {
    const block = await countBlocks(byte);
    const skipped = Math.min(blockBytes, byte - block * blockBytes);
    const bytes = await read(block * blockBytes, skipped + length);
    const before = (counts[block] ?? 0) + countLines(bytes.subarray(0, skipped));
    return { before: linesBefore + before, text: bytes.toString('utf8', skipped) };
  };
  return {
    async lineOf({ at, printed }: SectionPosition, name: string): Promise<number> {
      const length = Math.min(printed, MAX_TEXT_BYTES, at);
      const { before, text } = await textAt(at - length, length);
      return before + 1 + headingIn(text, name);
    },
    /** The line of the log with a result of a host; null: nothing was printed for it. */
    async resultLineOf({ at, printed }: SectionPosition, host: string): Promise<number | null> {
      if (printed === 0) return null;
      const begin = Math.max(0, at - printed);
      const { before, text } = await textAt(begin, Math.min(at - begin, MAX_TEXT_BYTES));
      return before + 1 + resultIn(text, host);
    },
    close: () => file.close(),
  };
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newLine); at >= 0; at = bytes.indexOf(newLine, at + 1)) count += 1;
  return count;
}

/**
 * The index of the line with the heading: the last one with the name, because warnings may precede it; else the
 * first non-blank one; else the one after the text.
 */
function headingIn(text: string, name: string): number {
  const lines = text.split('\n').map((line) => shownText(line));
  const [wanted = ''] = name.slice(0, searchedName).split('\n');
  const named = wanted === '' ? -1 : lines.findLastIndex((line) => line.includes(wanted));
  return named >= 0 ? named : firstIn(lines);
}

/** The index of the line with the host in Ansible's format; else of the first one that contains it. */
function resultIn(text: string, host: string): number {
  const lines = text.split('\n').map((line) => shownText(line));
  const forms = [`: [${host}]`, `: [${host} -> `];
  const found = lines.findIndex((line) => forms.some((form) => line.includes(form)));
  if (found >= 0) return found;
  const named = lines.findIndex((line) => line.includes(host));
  return named >= 0 ? named : firstIn(lines);
}

function firstIn(lines: string[]): number {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first >= 0 ? first : lines.length - 1;
}

/** The number of lines that end before a byte of the spool. */
async function countLinesBefore(path: string, byte: number): Promise<number> {
  if (byte === 0) return 0;
  const file = await open(path, 'r');
  const buffer = Buffer.allocUnsafe(readBytes);
  try {
    let count = 0;
    for (let position = 0; position < byte;) {
      const length = Math.min(readBytes, byte - position);
      const { bytesRead } = await file.read(buffer, 0, length, position);
      if (bytesRead === 0) break;
      count += countLines(buffer.subarray(0, bytesRead));
      position += bytesRead;
    }
    return count;
  } finally {
    await file.close();
  }
}

// Finds the line numbers of plays, tasks and results in the log of a run.

export type RunLines = ReturnType<typeof createRunLines>;

export interface LoggedRun {
  spool: string;
  /** The byte of the spool after the stored lines, and the number of lines of the log up to there. */
  from: number;
  lines: number;
}

export function createRunLines({ spool, from, lines: stored }: LoggedRun) {
  let opened: SpoolLines | null = null;
  const ofSections = new Map<number, number>();
  /** Opens the spool when it is needed first. */
  const openOnce = async (): Promise<SpoolLines> =>
    (opened ??= await openSpoolLines(spool, stored - (await countLinesBefore(spool, from))));
  return {
    open: openOnce,
    async ofSection(section: RunSection): Promise<number> {
      if (section.place) {
        const line = await (await openOnce()).lineOf(section.place, section.name);
        ofSections.set(section.number, line);
        section.place = null;
      }
      return ofSections.get(section.number) ?? 1;
    },
    close: () => opened?.close(),
  };
}
