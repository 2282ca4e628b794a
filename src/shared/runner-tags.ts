// Tags of runners, and those that templates and projects require.

import { z } from 'zod';
import { splitList } from './comma-list.ts';

const MAX_TAGS = 20;
const form = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;

const isTag = (text: string): boolean => form.test(text);

/** Sorted and without duplicates, so that equal lists are equal texts. */
const inOrder = (tags: string[]): string[] => [...new Set(tags)].toSorted();

export const runnerTags = z
  .array(z.string().trim().refine(isTag, { error: 'runner.tag_form' }))
  .max(MAX_TAGS)
  .transform(inOrder);

export const readTags = (text: string): string[] => inOrder(splitList(text));

export function isTagList(text: string): boolean {
  const tags = readTags(text);
  return tags.length <= MAX_TAGS && tags.every(isTag);
}
