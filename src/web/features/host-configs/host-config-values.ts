import type { HostConfig } from '#shared/api/host-configs.ts';
import type { Key } from '#shared/api/keys.ts';
import { keyTypeFor, readHostConfig } from '#shared/git/host-config.ts';

export const hostConfigValues = (base?: HostConfig) => ({
  type: base?.type ?? 'host',
  host: base?.host ?? '',
  ssh_key_id: base?.ssh_key_id ?? null,
});
export type HostConfigValues = ReturnType<typeof hostConfigValues>;

export function keysFor<Each extends Pick<Key, 'type'>>(
  { type, host }: HostConfigValues,
  keys: Each[],
): Each[] {
  const scope = readHostConfig(type, host.trim());
  const usable = keys.filter((key) => key.type !== 'none');
  const wanted = type === 'host' ? 'ssh' : scope && keyTypeFor(scope);
  return wanted === null ? usable : usable.filter((key) => key.type === wanted);
}
