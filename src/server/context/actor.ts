import type { TokenScope } from '#shared/permissions.ts';

/** The sender of a request with a session or an API token. */
export interface Actor {
  userId: number;
  username: string;
  admin: boolean;
  canCreateProject: boolean;
  /** The session of the request; null when the request has an API token. */
  sessionId: number | null;
  /** When the session began; null when the request has an API token. */
  signedIn: string | null;
  /** Whether the session began with a password, not at a provider. */
  byPassword: boolean;
  /** Whether the session is limited to setting up a second factor. */
  mustSetUpSecondFactor: boolean;
  /** The API token of the request; null when it has a session. */
  token: { id: number; scope: TokenScope; projectId: number | null } | null;
}

/** An actor as stored; null: the server setting decides whether they may create projects. */
export type Caller = Omit<Actor, 'canCreateProject'> & { mayCreateProjects: boolean | null };
