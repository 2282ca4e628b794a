// The variables of the service's environment that tasks inherit.

import { splitList } from '#shared/comma-list.ts';
import { proxyVariables, type Proxies } from '../../node/net/proxies.ts';

/** An empty setting counts as absent. */
const nothing = 'none';

const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !/^SIGNALBOX_/i.test(name);

/** Our own variables are never inherited, since some are secrets. */
export const isVariableList = (value: string): boolean =>
  value === nothing || (splitList(value).length > 0 && splitList(value).every(isName));

/** The name of a proxy stands for both spellings. */
export function readTaskEnvironment(
  names: string,
  environment: NodeJS.ProcessEnv,
  proxies: Proxies,
): Record<string, string> {
  if (names === nothing) return {};
  const wanted = splitList(names);
  const ofProxies = Object.entries(proxyVariables(proxies)).filter(([name]) =>
    wanted.some((one) => one.toUpperCase() === name.toUpperCase()),
  );
  const others = wanted.flatMap((name): [string, string][] => {
    const value = environment[name];
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries([...others, ...ofProxies]);
}
