// Caches access rights of websocket users for a few seconds, since each message checks them.
// `permission.changed` clears the cache; the short lifetime covers expiry and commands outside the server.

import type { LivePermission } from '#shared/api/live.ts';
import type { ErrorCode } from '#shared/catalogue/errors.ts';
import type { Clock } from '../../node/async/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { Actor } from '../context/actor.ts';
import { checkProject, type Gate, type Credentials } from './actor.ts';

export type LiveActor = Pick<Actor, 'userId' | 'admin' | 'token'>;

export interface RightsSources extends Pick<Gate, 'roleIn'> {
  clock: Clock;
  /** Null when the session or token has ended. */
  authenticate: (credentials: Credentials) => Promise<LiveActor | null>;
}

/** The user of a connection. */
export interface Holder {
  userId: number;
  credentials: Credentials;
}

interface CachedResult {
  until: number;
  answer: Promise<unknown>;
}

const CACHE_MS = 5000;
/** Clients may request any number of projects that do not exist. */
const MAX_CACHED_PER_USER = 1000;

export class LiveRights {
  readonly #sources: RightsSources;
  /** By user, then by permission, project and credentials. */
  readonly #users = new Map<number, Map<string, CachedResult>>();

  constructor(sources: RightsSources) {
    this.#sources = sources;
  }

  forget(userId: number | null): void {
    if (userId === null) this.#users.clear();
    else this.#users.delete(userId);
  }

  /** Null when the session or token has ended, or requires a second factor first. */
  actorOf(holder: Holder): Promise<LiveActor | null> {
    const { kind, text } = holder.credentials;
    return this.#remember(holder.userId, `${kind} ${text}`, () =>
      this.#sources.authenticate(holder.credentials).catch((error: unknown) => {
        // A session may have to set up a second factor meanwhile.
        if (error instanceof AppError) return null;
        throw error;
      }),
    );
  }

  /** Null when permitted. */
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

  #remember<T>(userId: number, key: string, read: () => Promise<T>): Promise<T> {
    const user = this.#users.get(userId) ?? new Map<string, CachedResult>();
    this.#users.set(userId, user);
    const now = this.#sources.clock.now().getTime();
    const known = user.get(key);
    if (known && known.until > now && known.until <= now + CACHE_MS) {
      return known.answer as Promise<T>;
    }
    if (user.size >= MAX_CACHED_PER_USER) user.clear();
    const answer = read();
    user.set(key, { until: now + CACHE_MS, answer });
    answer.catch(() => user.delete(key));
    return answer;
  }
}
