// The guide, which the build renders from docs/guide.

import { type GuidePage, loaders } from 'virtual:guide';

export { type GuidePage, type GuidePart, sections } from 'virtual:guide';

export async function loadPage(page: string): Promise<GuidePage | null> {
  const load = Object.hasOwn(loaders, page) ? loaders[page] : undefined;
  return load ? (await load()).default : null;
}
