import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { naming } from '../fields.ts';

const hostKeyId = z.string().regex(/^[0-9a-f]{24}$/, { error: 'field.invalid' });

const hostKey = z.object({
  id: z.string(),
  /** In the format of ssh: `example.com`, or `[example.com]:2222`. */
  host: z.string(),
  type: z.string(),
  /** The SHA-256 fingerprint, in the format of ssh. */
  fingerprint: z.string(),
});
export type HostKey = z.output<typeof hostKey>;

export const hostKeys = {
  list: endpoint.get('/api/project/:project_id/host_keys', {
    permission: 'member',
    summary: 'The keys of ssh hosts that the project has pinned at first sight',
    reply: z.array(hostKey),
  }),
  remove: endpoint.delete('/api/project/:project_id/host_keys/:host_key_id', {
    permission: 'host_key.edit',
    summary: 'Forget the key of a host; the next one that it shows is pinned',
    params: { host_key_id: naming(hostKeyId, 'host_key.not_found') },
  }),
  removeAll: endpoint.delete('/api/project/:project_id/host_keys', {
    permission: 'host_key.edit',
    summary: 'Forget the keys of all hosts',
  }),
};
