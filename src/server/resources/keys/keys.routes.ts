import { type KeyFields, keys } from '#shared/api/keys.ts';
import type { Context } from '../../context/context.ts';
import type { Http } from '../../http/serve.ts';
import { convertEd25519 } from './convert-ed25519.ts';
import { failFields, fieldError } from '../../lib/errors.ts';
import { changeKey, createKeyOnce, keyRefs, removeKey, requireKey } from './keys.ts';
import { opensshKeyType } from './openssh-key-type.ts';
import { listKeysOf } from './keys.store.ts';

/** Refuses an ssh key that runs could not load. */
type CheckKey = (ctx: Context, projectId: number, key: KeyFields) => Promise<void>;

/** A hardware key needs a touch, which no task can provide. */
function refuseHardwareKey(text: string): void {
  if (!opensshKeyType(text)?.startsWith('sk-')) return;
  throw failFields(fieldError('ssh.private_key', 'key.private_key_hardware'));
}

export function keyRoutes(http: Http, check: CheckKey): void {
  const loadable = async (ctx: Context, projectId: number, given: KeyFields) => {
    const { type, ssh } = given;
    if (type !== 'ssh' || !ssh) return given;
    refuseHardwareKey(ssh.private_key);
    const key = { ...given, ssh: { ...ssh, private_key: convertEd25519(ssh.private_key) } };
    await check(ctx, projectId, key);
    return key;
  };
  http.serve(keys.list, ({ ctx, projectId, query }) => listKeysOf(ctx.db, projectId, query));
  http.serve(keys.create, async ({ ctx, projectId, body }) =>
    createKeyOnce(ctx, projectId, await loadable(ctx, projectId, body)),
  );
  http.serve(keys.one, ({ ctx, projectId, id }) => requireKey(ctx, projectId, id));
  http.serve(keys.update, async ({ ctx, projectId, id, body, ifMatch }) => {
    await requireKey(ctx, projectId, id);
    const key = body.override_secret ? await loadable(ctx, projectId, body) : body;
    await changeKey(ctx, { projectId, id, revision: ifMatch }, key);
  });
  http.serve(keys.refs, ({ ctx, projectId, id }) => keyRefs(ctx, projectId, id));
  http.serve(keys.remove, ({ ctx, projectId, id }) => removeKey(ctx, projectId, id));
}
