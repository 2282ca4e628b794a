/** A person as a provider or a directory describes them. */
export interface Person {
  /** The id of the provider. */
  provider: string;
  /** The name of the provider, for events. */
  providerName: string;
  /** The identifier of the person at the provider, which never changes. */
  subject: string;
  username: string;
  name: string;
  /** The e-mail address; empty when the provider sent none. */
  email: string;
  /** Whether the provider says that the address is verified. */
  verified: boolean;
  /** The claims that the rules for groups read. */
  claims: Record<string, unknown>;
  /** Whether the claims have all groups of the person. */
  hasAllGroups: boolean;
}
