// What those are told who follow a project: each change is read once and put into words once,
// however many follow.

import type { Task } from '#shared/api/tasks.ts';
import type { ServerMessage } from '#shared/api/live.ts';
import type { Hub } from './hub.ts';

interface Follower {
  /** `text`: the message as it is sent. */
  tell: (message: ServerMessage, text: string) => void;
  /** A change could not be read: whoever follows has to look again. */
  failed: () => void;
}

export interface Feeds {
  /** Answers the function that ends it. */
  follow: (projectId: number, follower: Follower) => () => void;
  close: () => void;
}

interface Feed {
  followers: Set<Follower>;
  /** One after the other: an older state of a task must not overtake a newer one. */
  turn: Promise<unknown>;
}

export function createFeeds(
  hub: Hub,
  task: (projectId: number, taskId: number) => Promise<Task | null>,
): Feeds {
  const feeds = new Map<number, Feed>();
  const inTurn = (projectId: number, read: () => Promise<ServerMessage | null>): void => {
    const feed = feeds.get(projectId);
    if (!feed) return;
    feed.turn = feed.turn
      .then(async () => {
        const message = feed.followers.size > 0 ? await read() : null;
        if (message) tellAll(feed, message);
      })
      .catch(() => {
        for (const follower of feed.followers) follower.failed();
      });
  };
  const ends = [
    hub.subscribe('task', ({ projectId, taskId }) => {
      inTurn(projectId, async () => {
        const found = await task(projectId, taskId);
        return found && { type: 'task', project_id: projectId, task: found };
      });
    }),
    hub.subscribe('changed', ({ projectId, noun }) => {
      inTurn(projectId, () =>
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

function tellAll({ followers }: Feed, message: ServerMessage): void {
  const text = JSON.stringify(message);
  for (const follower of followers) follower.tell(message, text);
}
