import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitFiles, folder, gitRepository } from '../../../test/helpers/seed.ts';
import { testRunner } from '../../../test/runner/test-runner.ts';

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
  const runner = await testRunner();
  const canary = join(await folder(), 'canary');
  const repository = await gitRepository({ 'play.yml': plant(canary) });
  const one = await runner.run({ repository });
  expect([one.status, one.log]).toEqual(['success', expect.stringContaining('planted')]);
  const mirrors = join(runner.config.dataDir, 'mirrors');
  const [mirror = ''] = await readdir(mirrors);
  const config = join(mirrors, mirror, 'config');
  expect(await readFile(config, 'utf8')).toContain('insteadOf');
  const script = 'echo second; cat .git/config; ls .git/hooks || true\n';
  await commitFiles(repository, { 'play.yml': script });
  const two = await runner.run({ repository });
  expect([two.status, two.log]).toEqual(['success', expect.stringContaining('second')]);
  expect(two.log).not.toMatch(/evil|post-checkout/);
  expect(await readdir(join(mirrors, mirror))).not.toContain('hooks');
  expect(await readFile(config, 'utf8')).not.toContain('evil');
  await expect(access(canary)).rejects.toThrow('ENOENT');
});

test('a checkout is a repository of its own, in which nothing can be done to the others', async () => {
  const runner = await testRunner();
  const script = `set -e
git describe --tags --always
git switch --quiet main
git config user.name Somebody
git config user.email somebody@example.com
git commit --quiet --allow-empty --message Local
git tag local
git branch --delete --force --quiet main 2>/dev/null || true
`;
  const repository = await gitRepository({ 'play.yml': script });
  const first = await runner.run({ repository });
  expect(first.status).toBe('success');
  expect(first.task.commit_hash).toMatch(/^[0-9a-f]{40}$/);
  const second = await runner.run({ repository });
  expect([second.status, second.task.commit_hash]).toEqual(['success', first.task.commit_hash]);
});
