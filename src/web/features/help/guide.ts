// The guide, as the build has made it of docs/guide.

import { type GuidePage, loaders } from 'virtual:guide';

export { type GuidePage, type GuidePart, sections } from 'virtual:guide';

/** The page of this name; null if the guide has none. */
export async function loadPage(page: string): Promise<GuidePage | null> {
  const load = Object.hasOwn(loaders, page) ? loaders[page] : undefined;
  return load ? (await load()).default : null;
}
