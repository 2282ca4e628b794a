import type { RunnerConfig } from '../config/runner-config.ts';
import { findEngine } from './engine.ts';
import { sweepImages } from './kept-images.ts';
import { sweepContainers } from './left.ts';

/** Removes containers of runs that are gone, and images over the limit. */
export async function sweepEngine(config: RunnerConfig): Promise<void> {
  const engine = await findEngine(config);
  if (!engine) return;
  await sweepContainers(config, engine);
  await sweepImages(config, engine);
}
