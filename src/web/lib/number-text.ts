import { languageTag } from './i18n.ts';

// Making a format takes as long as a hundred uses of it.
const format = new Intl.NumberFormat(languageTag);

/** A number as the language of the page writes it. */
export const numberText = (value: number): string => format.format(value);
