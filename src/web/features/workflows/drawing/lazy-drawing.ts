import { lazy } from 'react';

export const LazyDrawing = lazy(async () => {
  const { GraphDrawing } = await import('./graph-drawing.tsx');
  return { default: GraphDrawing };
});
