import type { Generated } from 'kysely';
import type { GrantedType } from '#shared/grants/granted-types.ts';
import type { Flag, ResourceColumns } from './columns.ts';

/** One of them names the object. */
type ObjectColumns = Record<`${GrantedType}_id`, Generated<number | null>>;

export interface IdentityTables {
  user_identities: {
    provider: string;
    subject: string;
    user_id: number;
    /** Whether the e-mail address was verified when the account was linked. */
    verified: Flag;
    created: string;
  };
  /** A pending sign-in. */
  oidc_states: {
    state_hash: string;
    /** The hash of the browser's secret. */
    browser_hash: string;
    provider: string;
    /** The page after the sign-in; empty for the first page. */
    page: string;
    expires: string;
  };
  group_rules: ObjectColumns & {
    id: Generated<number>;
    source: string;
    claim: string;
    pattern: string;
    /** Null: the rule assigns administrators. */
    project_id: number | null;
    role: string | null;
    /** Null for a built-in role. */
    role_id: Generated<number | null>;
    /** JSON; only of a role on one object. */
    limits: Generated<string>;
    position: number;
  };
  roles: Omit<ResourceColumns, 'project_id'> & {
    /** Null: it belongs to the installation. */
    project_id: number | null;
    slug: string;
    description: string;
    /** JSON: the names of its rights. */
    rights: string;
  };
  /** The role of a member on one object. */
  grants: ObjectColumns & {
    id: Generated<number>;
    project_id: number;
    user_id: number;
    /** The slug. */
    role: string;
    /** Null for a built-in role. */
    role_id: number | null;
    /** JSON. */
    limits: string;
    from_rules: Generated<Flag>;
    granted_by: number | null;
    created: string;
  };
  /** An object that only those with a grant on it see. */
  restrictions: ObjectColumns & {
    id: Generated<number>;
    project_id: number;
    mode: string;
  };
}
