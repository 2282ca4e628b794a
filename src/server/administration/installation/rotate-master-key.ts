// Rotates the master key while servers run. A new key is written before the old one in master.key: all
// servers then seal with the new key, and open with both. Every text is resealed until none of the old key
// is left. Then the old key is removed. An interrupted rotation can be repeated.

import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../context/context.ts';
import { record } from '../../events/events.ts';
import { ConfigError } from '../../../node/config-error.ts';
import {
  addMasterKey,
  dropOldKeys,
  openMasterKeys,
  type MasterKeys,
} from '../../vault/master-keys.ts';
import { resealColumns } from '../../vault/sealed-texts.ts';
import { createVault, prefixOf, type Vault } from '../../vault/vault.ts';

// The milliseconds in which a server finishes a write that it began with the old key.
const settleTime = 1000;

/** Returns how many texts were sealed again. */
export async function rotateMasterKey(ctx: Context): Promise<number> {
  const { config } = ctx;
  const keys = openMasterKeys(config, false);
  const isGiven = config.masterKey !== null;
  if (isGiven && config.oldMasterKey === null) {
    throw new ConfigError(
      'The master key is given by SIGNALBOX_MASTER_KEY. Put a new one there and the one of now ' +
        'into SIGNALBOX_MASTER_KEY_OLD, restart the server, and call this again with both.',
    );
  }
  if (!isGiven) addMasterKey(config, keys);
  // A fixed copy of both keys, since texts may have been written with the old key after the last round.
  const all = keys();
  const vault = createVault(() => all);
  let count = await resealAll(ctx, vault, keys);
  await delay(settleTime);
  count += await resealAll(ctx, vault, keys);
  if (!isGiven) dropOldKeys(config, keys);
  await delay(settleTime);
  count += await resealAll(ctx, vault, keys);
  await record(ctx, {
    code: 'master_key.rotated',
    projectId: null,
    object: { type: 'key', id: null, name: '' },
    params: { amount: count },
  });
  return count;
}

/** Repeats the round until it finds nothing. */
async function resealAll({ db }: Context, vault: Vault, keys: MasterKeys): Promise<number> {
  const how = { prefix: prefixOf(keys()[0]), leavesUnopened: false };
  let count = 0;
  for (let found = -1; found !== 0; count += found) {
    found = await resealColumns({ db, vault }, how);
  }
  return count;
}
