// Tags of servers that run tasks, and the tags that templates and projects require.

import { z } from 'zod';
import { splitList } from './comma-list.ts';

const MAX_TAGS = 20;
const form = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;

const isTag = (text: string): boolean => form.test(text);

/** Each tag once and in a fixed order, so that equal lists are equal texts. */
const inOrder = (tags: string[]): string[] => [...new Set(tags)].toSorted();

/** The tags that a template or a project requires. */
export const runnerTags = z
  .array(z.string().trim().refine(isTag, { error: 'runner.tag_form' }))
  .max(MAX_TAGS)
  .transform(inOrder);

/** Parses tags that are separated by commas. */
export const readTags = (text: string): string[] => inOrder(splitList(text));

export function isTagList(text: string): boolean {
  const tags = readTags(text);
  return tags.length <= MAX_TAGS && tags.every(isTag);
}
