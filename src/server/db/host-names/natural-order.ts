/** A case-insensitive key for natural sorting, db-2 before db-10: numbers with their length as prefix. */
export const naturalKey = (name: string): string =>
  name.toLowerCase().replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return `${String(number.length).padStart(3, '0')}${number}`;
  });
