// CSV (RFC 4180).

export type Cell = string | number | null;

/** Escapes a leading formula character, so that spreadsheets do not evaluate it. */
function cell(value: Cell): string {
  if (value === null) return '';
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: Cell[]): string => `${cells.map(cell).join(',')}\r\n`;
