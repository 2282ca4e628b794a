// Caches access rights of websocket users for a few seconds, since each message checks them.
// `permission.changed` clears the cache; the short lifetime covers expiry and commands outside the server.

import type { LivePermission } from '#shared/api/live.ts';
import type { ErrorCode } from '#shared/catalogue/errors.ts';
import type { Clock } from '../../node/async/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { Actor } from '../context/actor.ts';
import {
  requireAccess,
  requireRight,
  type Access,
  type Credentials,
  type ProjectGate,
} from './actor.ts';

export type LiveActor = Pick<Actor, 'userId' | 'admin' | 'token'>;

export interface RightsSources extends ProjectGate {
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
  /** By user, then by project and credentials. */
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

  /** Null when permitted. `templateId`: that of the task that the message is about; null: of none. */
  async refusalOf(
    holder: Holder,
    permission: Exclude<LivePermission, 'connected'>,
    { projectId, templateId }: { projectId: number; templateId: number | null },
  ): Promise<ErrorCode | null> {
    try {
      const access = await this.accessOf(holder, projectId);
      if (!access) return 'session.required';
      const objects = templateId === null ? null : await access.objects?.();
      const object = { type: 'template', id: templateId ?? 0 } as const;
      if (objects && !objects.sees(object)) return 'task.not_found';
      const rights = objects ? objects.on(object) : access.rights;
      if (permission !== 'member') requireRight({ rights }, permission);
      return null;
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
  }

  /** Null when the session or token has ended. Throws for a project that the holder must not learn of. */
  accessOf(holder: Holder, projectId: number): Promise<Access | null> {
    const { kind, text } = holder.credentials;
    return this.#remember(holder.userId, `${projectId} ${kind} ${text}`, async () => {
      const actor = await this.actorOf(holder);
      return actor && requireAccess(this.#sources, actor, projectId);
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
