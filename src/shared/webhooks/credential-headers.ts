// Headers with credentials: only the sender authentication reads them, not matchers and values, and deliveries do not
// store them.

const carriesCredentials =
  /(?:^|-)auth(?:-|$)|authorization|cookie|token|signature|secret|passw|api-?key|credential/i;

export const isCredentialHeader = (name: string): boolean => carriesCredentials.test(name);
