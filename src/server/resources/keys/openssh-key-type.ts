const magic = Buffer.from('openssh-key-v1\0');

/** Reads a type such as `ssh-ed25519` from the unencrypted header. Null for another format. */
export function opensshKeyType(text: string): string | null {
  const [, body = ''] = /^-----BEGIN OPENSSH PRIVATE KEY-----([^-]+)-----END /.exec(text) ?? [];
  const bytes = Buffer.from(body, 'base64');
  if (!bytes.subarray(0, magic.length).equals(magic)) return null;
  try {
    const afterCipher = endOfField(bytes, magic.length);
    const afterOptions = endOfField(bytes, endOfField(bytes, afterCipher));
    // Skips the number of keys and the length of the public key, which begins with its type.
    const at = afterOptions + 8;
    return bytes.toString('latin1', at + 4, endOfField(bytes, at));
  } catch {
    return null;
  }
}

/** The end of a length-prefixed field; throws at the end of the buffer. */
const endOfField = (bytes: Buffer, from: number): number => from + 4 + bytes.readUInt32BE(from);
