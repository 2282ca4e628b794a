// The tables of signing in elsewhere: who is who there, sign-ins that are under way, and rules.

import type { Generated } from 'kysely';
import type { Role } from '#shared/permissions.ts';
import type { Flag } from './columns.ts';

/** Whom a provider means by a subject. */
interface UserIdentities {
  provider: string;
  subject: string;
  user_id: number;
  /** The provider vouched for the e-mail address of the account that was made or linked. */
  verified: Flag;
  created: string;
}

/** A sign-in that was begun at a provider and has not come back. */
interface OidcStates {
  state_hash: string;
  /** Of the secret in the cookie of the browser that began it. */
  browser_hash: string;
  provider: string;
  /** The address of the console to come back to; empty: its first page. */
  page: string;
  expires: string;
}

interface GroupRules {
  id: Generated<number>;
  source: string;
  claim: string;
  pattern: string;
  /** Null: the rule makes administrators. */
  project_id: number | null;
  role: Role | null;
  position: number;
}

export interface IdentityTables {
  user_identities: UserIdentities;
  oidc_states: OidcStates;
  group_rules: GroupRules;
}
