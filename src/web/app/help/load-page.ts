import * as guide from '../../features/help/guide.ts';
import { loadLanguage } from '../../lib/i18n.ts';

export async function loadPage(name: string): Promise<guide.GuidePage | null> {
  await loadLanguage();
  return guide.loadPage(name);
}
