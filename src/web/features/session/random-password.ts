const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** Ten letters and digits, without those that are taken for one another. */
export function randomPassword(): string {
  const picks = crypto.getRandomValues(new Uint32Array(10));
  return Array.from(picks, (pick) => alphabet[pick % alphabet.length]).join('');
}
