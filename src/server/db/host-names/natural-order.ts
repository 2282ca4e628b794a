/**
 * A key for natural sorting, case-insensitive: db-2 before db-10. Each number is prefixed with its length.
 */
export const naturalKey = (name: string): string =>
  name.toLowerCase().replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return `${String(number.length).padStart(3, '0')}${number}`;
  });
