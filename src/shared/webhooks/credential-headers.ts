// Headers that carry credentials. Only the authentication of the sender reads them: matchers and
// values cannot, and deliveries do not store them.

const carriesCredentials =
  /(?:^|-)auth(?:-|$)|authorization|cookie|token|signature|secret|passw|api-?key|credential/i;

export const isCredentialHeader = (name: string): boolean => carriesCredentials.test(name);
