import { lazy } from 'react';

/** The picture of a graph; its library is loaded with the first one. */
export const LazyDrawing = lazy(async () => {
  const { GraphDrawing } = await import('./graph-drawing.tsx');
  return { default: GraphDrawing };
});
