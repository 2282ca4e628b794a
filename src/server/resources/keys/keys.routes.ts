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
  http.serve(keys.list, ({ ctx, params, query }) => listKeysOf(ctx.db, params.project_id, query));
  http.serve(keys.create, async ({ ctx, params, body }) =>
    createKeyOnce(ctx, params.project_id, await loadable(ctx, params.project_id, body)),
  );
  http.serve(keys.one, ({ ctx, params }) => requireKey(ctx, params.project_id, params.key_id));
  http.serve(keys.update, async ({ ctx, params, body, ifMatch }) => {
    const { project_id: projectId, key_id: id } = params;
    await requireKey(ctx, projectId, id);
    const key = body.override_secret ? await loadable(ctx, projectId, body) : body;
    await changeKey(ctx, { projectId, id, revision: ifMatch }, key);
  });
  http.serve(keys.refs, ({ ctx, params }) => keyRefs(ctx, params.project_id, params.key_id));
  http.serve(keys.remove, ({ ctx, params }) => removeKey(ctx, params.project_id, params.key_id));
}
