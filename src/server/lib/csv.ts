// Tables as text, as RFC 4180 describes them.

export type Cell = string | number | null;

/** A cell, quoted if necessary, and written so that a spreadsheet does not read a name as a formula. */
function cell(value: Cell): string {
  if (value === null) return '';
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: Cell[]): string => `${cells.map(cell).join(',')}\r\n`;
