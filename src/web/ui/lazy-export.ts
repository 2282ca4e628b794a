import { type ComponentType, lazy } from 'react';

/** React's `lazy` for a named export. */
export const lazyExport = <Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }));
