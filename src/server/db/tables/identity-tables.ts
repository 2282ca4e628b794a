// The tables of sign-in at providers: linked accounts, unfinished sign-ins, and rules for groups.

import type { Generated } from 'kysely';
import type { Role } from '#shared/permissions.ts';
import type { Flag } from './columns.ts';

/** The account of a subject of a provider. */
interface UserIdentities {
  provider: string;
  subject: string;
  user_id: number;
  /** Whether the provider had verified the e-mail address when the account was created or linked. */
  verified: Flag;
  created: string;
}

/** A sign-in that has begun at a provider and is not finished. */
interface OidcStates {
  state_hash: string;
  /** The hash of the secret in the cookie of the browser that began it. */
  browser_hash: string;
  provider: string;
  /** The address of the console to which the browser returns; empty for the first page. */
  page: string;
  expires: string;
}

interface GroupRules {
  id: Generated<number>;
  source: string;
  claim: string;
  pattern: string;
  /** The project of the role; null when the rule makes administrators. */
  project_id: number | null;
  role: Role | null;
  position: number;
}

export interface IdentityTables {
  user_identities: UserIdentities;
  oidc_states: OidcStates;
  group_rules: GroupRules;
}
