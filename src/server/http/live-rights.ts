// Caches what users of the websocket may see for a few seconds, because many connections and lines
// need the same answer. A change of rights clears the cache at once (the hub event `permission.changed`).
// The short time covers what ends without a hub event: expiry, and commands that run beside the server.

import type { LivePermission } from '#shared/api/live.ts';
import type { ErrorCode } from '#shared/catalogue/errors.ts';
import type { Clock } from '../../node/async/clock.ts';
import { AppError } from '../lib/errors.ts';
import { checkProject, type Actor, type Gate } from './actor.ts';
import type { Credentials } from './credentials.ts';

export type LiveActor = Pick<Actor, 'userId' | 'admin' | 'token'>;

export interface RightsSources extends Pick<Gate, 'roleIn'> {
  clock: Clock;
  /** The actor of these credentials; null when their session or token has ended. */
  authenticate: (credentials: Credentials) => Promise<LiveActor | null>;
}

/** The user of a connection. */
export interface Holder {
  userId: number;
  credentials: Credentials;
}

interface CachedAnswer {
  until: number;
  answer: Promise<unknown>;
}

// Milliseconds.
const MAX_MEMORY_MS = 5000;
/** A client may ask for any number of projects that do not exist. */
const MAX_REMEMBERED_OF_USER = 1000;

export class LiveRights {
  readonly #sources: RightsSources;
  /** By user, and by permission, project and credentials. */
  readonly #users = new Map<number, Map<string, CachedAnswer>>();

  constructor(sources: RightsSources) {
    this.#sources = sources;
  }

  /** Clears the cache of a user, or of all users. */
  forget(userId: number | null): void {
    if (userId === null) this.#users.clear();
    else this.#users.delete(userId);
  }

  /** The actor; null when the session or token has ended, or has to set up a second factor first. */
  actorOf(holder: Holder): Promise<LiveActor | null> {
    const { kind, text } = holder.credentials;
    return this.#remember(holder.userId, `${kind} ${text}`, () =>
      this.#sources.authenticate(holder.credentials).catch((error: unknown) => {
        // A session that has to set up a second factor in the meantime may see nothing either.
        if (error instanceof AppError) return null;
        throw error;
      }),
    );
  }

  /** Why the user may not do this in the project; null when they may. */
  refusalOf(
    holder: Holder,
    permission: Exclude<LivePermission, 'connected'>,
    projectId: number,
  ): Promise<ErrorCode | null> {
    const { kind, text } = holder.credentials;
    const key = `${permission} ${projectId} ${kind} ${text}`;
    return this.#remember(holder.userId, key, async () => {
      const actor = await this.actorOf(holder);
      if (!actor) return 'session.required';
      try {
        await checkProject(this.#sources, actor, permission, projectId);
        return null;
      } catch (error) {
        if (error instanceof AppError) return error.code;
        throw error;
      }
    });
  }

  #remember<T>(userId: number, key: string, look: () => Promise<T>): Promise<T> {
    const user = this.#users.get(userId) ?? new Map<string, CachedAnswer>();
    this.#users.set(userId, user);
    const now = this.#sources.clock.now().getTime();
    const known = user.get(key);
    if (known && known.until > now && known.until <= now + MAX_MEMORY_MS) {
      return known.answer as Promise<T>;
    }
    if (user.size >= MAX_REMEMBERED_OF_USER) user.clear();
    const answer = look();
    user.set(key, { until: now + MAX_MEMORY_MS, answer });
    // A failed query is not cached.
    answer.catch(() => user.delete(key));
    return answer;
  }
}
