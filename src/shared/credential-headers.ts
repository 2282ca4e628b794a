// Headers that let their sender in. Nothing but the check of the sender reads them: no matcher,
// no extracted value, and they are not kept.

const carriesCredentials =
  /(?:^|-)auth(?:-|$)|authorization|cookie|token|signature|secret|passw|api-?key|credential/i;

export const isCredentialHeader = (name: string): boolean => carriesCredentials.test(name);
