import { lazyRouteComponent } from '@tanstack/react-router';
import { importWhenServerIsBack } from '../../lib/server-back.ts';

/**
 * A screen that is loaded when it is opened. While the server is away, the screen before it stays;
 * it is loaded when the server is back. If its code is still not found then, because the server has
 * another version, the router loads the page again.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => importWhenServerIsBack(load), name);
