import * as guide from '../../features/help/guide.ts';
import { loadLanguage } from '../../lib/i18n.ts';

/** Loads a page of the guide, and the words around it; null for the table of contents. */
export async function loadPage(name: string): Promise<guide.GuidePage | null> {
  await loadLanguage();
  return guide.loadPage(name);
}
