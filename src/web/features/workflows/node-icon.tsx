import { IconClock, IconHandStop, IconPlaylist, IconSitemap } from '@tabler/icons-react';
import type { WorkflowNode } from '#shared/workflows/graph.ts';

const icons = {
  template: IconPlaylist,
  approval: IconHandStop,
  wait: IconClock,
  workflow: IconSitemap,
} as const satisfies Record<WorkflowNode['type'], typeof IconClock>;

export function NodeIcon({ type, size = 16 }: { type: WorkflowNode['type']; size?: number }) {
  const Icon = icons[type];
  return <Icon size={size} aria-hidden="true" />;
}
