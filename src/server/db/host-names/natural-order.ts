/**
 * A text by which names are sorted as people count: db-2 before db-10, and without regard to case.
 * Each number is preceded by the number of its digits.
 */
export const naturalKey = (name: string): string =>
  name.toLowerCase().replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return `${String(number.length).padStart(3, '0')}${number}`;
  });
