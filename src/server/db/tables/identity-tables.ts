import type { Generated } from 'kysely';
import type { Role } from '#shared/permissions.ts';
import type { Flag } from './columns.ts';

interface UserIdentities {
  provider: string;
  subject: string;
  user_id: number;
  /** Whether the e-mail address was verified when the account was linked. */
  verified: Flag;
  created: string;
}

/** A pending sign-in. */
interface OidcStates {
  state_hash: string;
  /** The hash of the browser's secret. */
  browser_hash: string;
  provider: string;
  /** The page after the sign-in; empty for the first page. */
  page: string;
  expires: string;
}

interface GroupRules {
  id: Generated<number>;
  source: string;
  claim: string;
  pattern: string;
  /** Null: the rule assigns administrators. */
  project_id: number | null;
  role: Role | null;
  position: number;
}

export interface IdentityTables {
  user_identities: UserIdentities;
  oidc_states: OidcStates;
  group_rules: GroupRules;
}
