// Tags: what a server is apart from others for, and what a template asks for.

import { z } from 'zod';
import { splitList } from './comma-list.ts';

const most = 20;
const form = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;

const isTag = (text: string): boolean => form.test(text);

/** Each once, and always in the same order: lists that say the same are the same text. */
const inOrder = (tags: string[]): string[] => [...new Set(tags)].toSorted();

/** Of a template or a project. */
export const runnerTags = z
  .array(z.string().trim().refine(isTag, { error: 'runner.tag_form' }))
  .max(most)
  .transform(inOrder);

/** Tags that are separated by commas. */
export const readTags = (text: string): string[] => inOrder(splitList(text));

export function isTagList(text: string): boolean {
  const tags = readTags(text);
  return tags.length <= most && tags.every(isTag);
}
