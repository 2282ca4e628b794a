import { type ComponentType, lazy } from 'react';
import { importWhenServerIsBack } from '../lib/server-back.ts';

/** React's `lazy` for a named export. What is shown stays while the server is away. */
export const lazyExport = <Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) => lazy(async () => ({ default: (await importWhenServerIsBack(load))[name] }));
