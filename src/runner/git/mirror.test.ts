import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositories } from '#shared/api/repositories.ts';
import { testApp } from '../../../test/helpers/app.ts';
import { commitFiles, folder, seedProject } from '../../../test/helpers/seed.ts';
import { launch, logText, untilStatus } from '../../../test/helpers/tasks.ts';

/** Plants whatever git could run, in its own checkout and in the mirror that it borrows from. */
const plant = (canary: string): string => `
mirror=$(dirname "$(cat .git/objects/info/alternates)")
for place in .git "$mirror"; do
  mkdir -p $place/hooks $place/info
  for hook in post-checkout reference-transaction post-index-change pre-auto-gc; do
    printf '#!/bin/sh\\ntouch ${canary}\\n' > $place/hooks/$hook
    chmod +x $place/hooks/$hook
  done
  printf '* filter=evil\\n' > $place/info/attributes
  for setting in core.sshCommand core.fsmonitor core.gitProxy filter.evil.smudge filter.evil.clean \\
    filter.evil.process diff.external core.pager core.alternateRefsCommand uploadpack.packObjectsHook; do
    git config --file $place/config $setting 'touch ${canary}; false'
  done
  git config --file $place/config filter.evil.required true
  git config --file $place/config core.hooksPath $place/hooks
  git config --file $place/config url.ext::sh.insteadOf /
done
cp "$mirror/config" "$mirror/config.worktree"
hash=$(git --git-dir=.git -c core.fsmonitor=false rev-parse HEAD)
mkdir -p "$mirror/refs/replace"
echo "$hash" > "$mirror/refs/replace/$hash"
echo planted
`;

test('what a playbook plants in its checkout or in the mirror is never run', async () => {
  const app = await testApp({ runner: true });
  const canary = join(await folder(), 'canary');
  const seed = await seedProject(app.admin, { 'play.yml': plant(canary) });
  const template = await seed.template();
  const one = await launch(app.admin, seed.projectId, { template_id: template.id });
  await untilStatus(app.admin, one, 'success');
  expect(await logText(app.admin, one)).toContain('planted');
  const mirrors = join(app.ctx.config.dataDir, 'mirrors');
  const [mirror = ''] = await readdir(mirrors);
  const config = join(mirrors, mirror, 'config');
  expect(await readFile(config, 'utf8')).toContain('insteadOf');
  const params = { project_id: seed.projectId, repository_id: seed.repositoryId };
  const { git_url: path } = await app.admin.call(repositories.one, { params });
  await commitFiles(path, { 'play.yml': 'echo second; cat .git/config; ls .git/hooks || true\n' });
  const two = await launch(app.admin, seed.projectId, { template_id: template.id });
  await untilStatus(app.admin, two, 'success');
  expect(await logText(app.admin, two)).toContain('second');
  expect(await logText(app.admin, two)).not.toMatch(/evil|post-checkout/);
  expect(await readdir(join(mirrors, mirror))).not.toContain('hooks');
  expect(await readFile(config, 'utf8')).not.toContain('evil');
  await expect(access(canary)).rejects.toThrow('ENOENT');
});

test('a checkout is a repository of its own, in which nothing can be done to the others', async () => {
  const app = await testApp({ runner: true });
  const script = `set -e
git describe --tags --always
git switch --quiet main
git config user.name Somebody
git config user.email somebody@example.com
git commit --quiet --allow-empty --message Local
git tag local
git branch --delete --force --quiet main 2>/dev/null || true
`;
  const seed = await seedProject(app.admin, { 'play.yml': script });
  const template = await seed.template();
  const run = async (): Promise<string> => {
    const task = await launch(app.admin, seed.projectId, { template_id: template.id });
    return (await untilStatus(app.admin, task, 'success')).commit_hash ?? '';
  };
  const first = await run();
  expect(first).toMatch(/^[0-9a-f]{40}$/);
  expect(await run()).toBe(first);
});
