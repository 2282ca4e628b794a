// Removes unused files: mirrors of repositories that were removed or have another address, facts of removed projects,
// and home folders of projects that keep none. Data that exist only here are set aside instead: states of Terraform,
// pinned host keys, and home folders of unknown projects, since the server may have another or an older database.

import { readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { filesOfState, isWithoutObjects, listStates } from '../apps/terraform-states.ts';
import type { DataFolderContents, TemplateRef, RunContext } from '../api/runner-api.ts';
import { mirrorName, ownerOf, type Owner } from '../git/mirror-name.ts';
import { mirrorsOf, removeMirror } from '../git/mirror.ts';
import { factsOf } from '../prepare/caches.ts';
import { listHomes, removeHomes } from '../prepare/persistent-home.ts';
import { knownHostsOf } from '../../node/data-folder/known-hosts.ts';
import { labelOf } from './run-notes.ts';
import { createAsideFolder, setAside, type AsideNote } from '../../node/data-folder/set-aside.ts';

/** How many templates one request may have. */
const MAX_STATES = 10_000;

type SweepContext = Pick<RunContext, 'config' | 'runnerApi' | 'log'>;

/** `inUse`: the repositories of the running tasks, which may have changed since these began. */
export async function sweep(ctx: SweepContext, inUse: () => Owner[]): Promise<void> {
  const { config } = ctx;
  // A cache of checkouts of earlier versions.
  await rm(join(config.dataDir, 'spares'), { recursive: true, force: true });
  // Files are listed before the database is read, so that folders made in between are not removed.
  const mirrors = await namesIn(mirrorsOf(config));
  const [pins, facts] = [await idsIn(knownHostsOf(config)), await idsIn(factsOf(config))];
  const homes = (await listHomes(config)).map(Number).filter(isId);
  const states = (await listStates(config)).slice(0, MAX_STATES);
  const found = {
    mirrors: [...new Set(mirrors.map(ownerOf))],
    projects: [...new Set([...pins, ...facts, ...homes])],
    homes,
    states,
  };
  const kept = await ctx.runnerApi.filterExisting(found);
  await sweepMirrors(ctx, mirrors, { kept, inUse });
  const isGone = (id: number): boolean => !kept.projects.includes(id);
  for (const id of facts.filter(isGone)) {
    await rm(join(factsOf(config), String(id)), { recursive: true, force: true });
  }
  for (const id of pins.filter(isGone)) {
    const path = join(knownHostsOf(config), String(id));
    await setAsideAndLog(ctx, path, unknownProject('known-hosts', id));
  }
  await sweepStates(ctx, states, kept);
  await sweepHomes(ctx, homes, { isGone, kept });
}

async function sweepMirrors(
  { config }: SweepContext,
  mirrors: string[],
  { kept, inUse }: { kept: DataFolderContents; inUse: () => Owner[] },
): Promise<void> {
  const isKept = (name: string): boolean => {
    const owner = ownerOf(name);
    return kept.mirrors.includes(owner) || inUse().some((one) => mirrorName(one) === owner);
  };
  for (const name of mirrors) {
    // Checked again under the lock, because a task may have begun.
    if (!isKept(name)) await removeMirror(join(mirrorsOf(config), name), () => isKept(name));
  }
}

/** Moves nothing if the server is of an earlier version, which does not report templates. */
async function sweepStates(
  ctx: SweepContext,
  states: TemplateRef[],
  { states: known }: DataFolderContents,
): Promise<void> {
  const isKnown = (one: TemplateRef): boolean =>
    !known || known.some((other) => labelOf(other) === labelOf(one));
  for (const one of states.filter((state) => !isKnown(state))) {
    const files = await filesOfState(ctx.config, one);
    if (await isWithoutObjects(ctx.config, one)) {
      for (const path of files) await rm(path, { recursive: true, force: true });
      continue;
    }
    const folder = await createAsideFolder(ctx.config, {
      kind: 'terraform',
      label: labelOf(one),
      why: 'The server does not know this template: it was deleted, or the database is another or an older one.',
    });
    for (const path of files) await rename(path, join(folder, basename(path)));
    // Plugins are downloaded again.
    await rm(join(folder, String(one.template_id), 'plugins'), { recursive: true, force: true });
    ctx.log.warn({ folder, ...one }, 'state of an unknown template set aside');
  }
}

async function sweepHomes(
  ctx: SweepContext,
  homes: number[],
  { isGone, kept }: { isGone: (id: number) => boolean; kept: DataFolderContents },
): Promise<void> {
  const move = (path: string, project: string): Promise<void> =>
    setAsideAndLog(ctx, path, unknownProject('homes', Number(project)));
  const removeWhere = (isOld: (id: number) => boolean, remove?: typeof move): Promise<void> => {
    const isListed = (id: number): boolean => homes.includes(id) && isOld(id);
    return removeHomes(ctx.config, ({ project }) => isListed(Number(project)), remove);
  };
  await removeWhere(isGone, move);
  await removeWhere((id) => !kept.homes.includes(id));
}

const unknownProject = (kind: string, id: number): AsideNote => ({
  kind,
  label: `project-${id}`,
  why: 'The server does not know this project: it was deleted, or the database is another or an older one.',
});

async function setAsideAndLog({ config, log }: SweepContext, path: string, note: AsideNote) {
  const folder = await setAside(config, path, note);
  log.warn({ folder }, 'data of an unknown project set aside');
}

const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0;

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

const idsIn = async (folder: string): Promise<number[]> =>
  (await namesIn(folder)).map(Number).filter(isId);
