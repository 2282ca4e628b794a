// Messages for clients that follow a project. Each change is read and serialized once per project.

import type { Task } from '#shared/api/tasks.ts';
import type { ServerMessage } from '#shared/api/live.ts';
import type { Hub } from './hub.ts';

interface Follower {
  tell: (message: ServerMessage, text: string) => void;
  /** A change could not be read; the client must read the project again. */
  failed: () => void;
}

export interface Feeds {
  /** Returns the function that unsubscribes. */
  follow: (projectId: number, follower: Follower) => () => void;
  close: () => void;
}

interface Feed {
  followers: Set<Follower>;
  /** Handles hub events one after the other, so that an older state of a task cannot overtake a newer one. */
  turn: Promise<unknown>;
}

export function createFeeds(
  hub: Hub,
  task: (projectId: number, taskId: number) => Promise<Task | null>,
): Feeds {
  const feeds = new Map<number, Feed>();
  const enqueue = (projectId: number, read: () => Promise<ServerMessage | null>): void => {
    const feed = feeds.get(projectId);
    if (!feed) return;
    feed.turn = feed.turn
      .then(async () => {
        const message = feed.followers.size > 0 ? await read() : null;
        if (message) sendToAll(feed, message);
      })
      .catch(() => {
        for (const follower of feed.followers) follower.failed();
      });
  };
  const ends = [
    hub.subscribe('task.changed', ({ projectId, taskId }) => {
      enqueue(projectId, async () => {
        const found = await task(projectId, taskId);
        return found && { type: 'task', project_id: projectId, task: found };
      });
    }),
    hub.subscribe('resource.changed', ({ projectId, noun }) => {
      enqueue(projectId, () =>
        Promise.resolve({ type: 'changed', project_id: projectId, noun } as const),
      );
    }),
  ];
  return {
    follow(projectId, follower) {
      const feed = feeds.get(projectId) ?? { followers: new Set(), turn: Promise.resolve() };
      feeds.set(projectId, feed);
      feed.followers.add(follower);
      return () => {
        feed.followers.delete(follower);
        if (feed.followers.size === 0) feeds.delete(projectId);
      };
    },
    close() {
      for (const end of ends) end();
    },
  };
}

function sendToAll({ followers }: Feed, message: ServerMessage): void {
  const text = JSON.stringify(message);
  for (const follower of followers) follower.tell(message, text);
}
