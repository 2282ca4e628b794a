// What users of the websocket may see, remembered for a moment: many connections and many lines
// ask the same. What changes it is heard of at once (`rights` of the hub); the moment is for what
// only time ends, and for commands that run beside the server.

import type { LivePermission } from '#shared/api/live.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { Clock } from '../../runner/system/clock.ts';
import { AppError } from '../errors.ts';
import { checkProject, type Actor, type Gate } from './actor.ts';
import type { Credentials } from './credentials.ts';

export type LiveActor = Pick<Actor, 'userId' | 'admin' | 'token'>;

export interface RightsSources extends Pick<Gate, 'roleIn'> {
  clock: Clock;
  /** Who sends the credentials; null when their session or token has ended. */
  authenticate: (credentials: Credentials) => Promise<LiveActor | null>;
}

/** Whoever holds a connection. */
export interface Holder {
  userId: number;
  credentials: Credentials;
}

interface Known {
  until: number;
  answer: Promise<unknown>;
}

// Milliseconds.
const longest = 5000;

export class LiveRights {
  readonly #sources: RightsSources;
  readonly #users = new Map<number, Map<string, Known>>();

  constructor(sources: RightsSources) {
    this.#sources = sources;
  }

  /** Forgets what is known of a user, or of all. */
  forget(userId: number | null): void {
    if (userId === null) this.#users.clear();
    else this.#users.delete(userId);
  }

  /** Null: the session or the token has ended, or may do nothing before something else. */
  actorOf(holder: Holder): Promise<LiveActor | null> {
    const { kind, text } = holder.credentials;
    return this.#remember(holder.userId, `${kind} ${text}`, () =>
      this.#sources.authenticate(holder.credentials).catch((error: unknown) => {
        // A session that has to set up a second factor by now sees nothing either.
        if (error instanceof AppError) return null;
        throw error;
      }),
    );
  }

  /** Why the holder may not do this in the project; null: they may. */
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
    const user = this.#users.get(userId) ?? new Map<string, Known>();
    this.#users.set(userId, user);
    const now = this.#sources.clock.now().getTime();
    const known = user.get(key);
    if (known && known.until > now && known.until <= now + longest) {
      return known.answer as Promise<T>;
    }
    const answer = look();
    user.set(key, { until: now + longest, answer });
    // What could not be found out is asked again.
    answer.catch(() => user.delete(key));
    return answer;
  }
}
