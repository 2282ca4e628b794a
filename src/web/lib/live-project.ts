import type { Topic } from '#shared/api/live.ts';
import { live } from './live.ts';

/**
 * How long reads wait for the subscription. Earlier reads would be repeated after it, so a short
 * wait saves most requests, also with a slow or missing websocket.
 */
const MAX_WAIT_MS = 250;

let followed: { projectId: number; end: () => void; begun: Promise<void> } | undefined;

/** Subscribes to the changes of a project; resolves when later reads miss none of them. */
export async function followProject(projectId: number): Promise<void> {
  if (followed?.projectId !== projectId) {
    followed?.end();
    const topic: Topic = { topic: 'project', project_id: projectId };
    const end = live.subscribe({ topic });
    followed = { projectId, end, begun: live.answered(topic, MAX_WAIT_MS) };
  }
  await followed.begun;
}

/** Ends the subscription when the last screen of a project closes. */
export function leaveProject(projectId: number): void {
  if (followed?.projectId !== projectId) return;
  followed.end();
  followed = undefined;
}
