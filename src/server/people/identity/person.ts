/** The identity that a provider or a directory reports. */
export interface Person {
  provider: string;
  providerName: string;
  /** The stable identifier at the provider. */
  subject: string;
  username: string;
  name: string;
  /** Empty when the provider sent none. */
  email: string;
  /** Whether the address is verified. */
  verified: boolean;
  /** Input of the group rules. */
  claims: Record<string, unknown>;
  /** Whether the list of groups is complete. */
  hasAllGroups: boolean;
}
