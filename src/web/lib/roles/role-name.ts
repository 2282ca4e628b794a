import { isBuiltIn } from '#shared/rights.ts';
import { t } from '../i18n.ts';

/** The name of a role: the built-in ones in the language of the user. */
export const roleName = (slug: string, name: string = slug): string =>
  isBuiltIn(slug) ? t(`role.${slug}`) : name;
