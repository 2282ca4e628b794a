// Who runs or checks each block of README.md, CONTRIBUTING.md and the guide: one line a block. A new
// block needs a line here, with a text that no other block of its page contains.

import { newEnvironment } from '#shared/api/environments.ts';
import { newHostConfig } from '#shared/api/host-configs.ts';
import { outputEndpoints } from '#shared/api/task-outputs.ts';
import { tasks } from '#shared/api/tasks.ts';
import type { Block } from './blocks.ts';
import {
  alertBody,
  ansible,
  anyJson,
  answer,
  type Check,
  clientMessage,
  commands,
  elsewhere,
  error,
  identityFile,
  request,
  settings,
  task,
} from './checks.ts';

export type Claim = [page: string, part: string, check: Check];

const shop = { service: 'shop', replicas: 3, zones: ['eu-1', 'eu-2'] };
const password = 'a long enough passphrase\n';
const alertsTo = 'SIGNALBOX_ALERT_ADDRESSES';
const anna = { '--login admin': '--login anna' };
const beside = { 'docker compose': 'cd deploy; docker compose' };
const inCheckout = { 'docker build': 'cd "$CHECKOUT_OF_TEST"; docker build' };
const withSecrets = { 'openssl rand': 'cd deploy; mkdir secrets; openssl rand' };
const withToken = { 'deploy/kubernetes/runner': 'deploy/kubernetes/runner; touch runner_token' };
const withPassword = { 'kubectl -': 'touch password; kubectl -' };
const owner = { '--pwprompt ': '', signalbox: 'guide_owner' };
const inPlace = { '/etc/ssh/ssh_host_ed25519_key.pub': 'host-key.pub' };
const checkout = { '<this repository>': '$CHECKOUT' };
const backup = 'installation-backup.md';
const backupsHere = { '/var/backups/signalbox': 'backups', '/root/': './' };
const madeHere = { ...backupsHere, 'npx signalbox': 'mkdir backups; npx signalbox' };
const restoredHere = {
  ...backupsHere,
  '/tmp/drill': './drill',
  'npx signalbox restore':
    'mkdir backups; npx signalbox backup --to backups --key-to signalbox.key; SIGNALBOX_DATA_DIR=./drill npx signalbox restore',
};
const drillHere = {
  '/tmp/drill': './drill',
  // Ctrl+C comes as soon as the server is ready.
  '3100 npx signalbox':
    '0 timeout 60 npx signalbox > printed & until grep "is ready" printed || ! kill -0 $!; do sleep 0.1; done; kill $!',
};
const images = 'execution-environments.md';
const engine = 'test/guide-containers.test.ts';
const builder = 'test/toolchains/containers/builder.test.ts';
const proxies = 'test/reverse-proxies.test.ts';
const remote = 'test/built-server.test.ts';
const recorded = 'test/recorded-installations.test.ts';
const release = 'test/release.test.ts';

export const claims: Claim[] = [
  ['README.md', 'git clone', commands({ replace: checkout, shows: 'npm start' })],
  [
    'README.md',
    'npx signalbox user list',
    commands({ replace: anna, input: password, shows: 'anna' }),
  ],
  ['CONTRIBUTING.md', 'git clone', commands({ replace: checkout, shows: 'npm start' })],
  ['alerts.md', alertsTo, settings],
  ['alerts.md', '"id": "17-', alertBody],
  ['alerts.md', '"workflow_run"', alertBody],
  ['ansible.md', 'collections:', ansible('requirements')],
  ['ansible.md', 'ansible_ssh_common_args', ansible('inventory', 'ProxyJump')],
  ['ansible.md', 'fact_caching', ansible('ansible.cfg', 'CACHE_PLUGIN')],
  ['api.md', '/api/projects', commands({ shows: '"template_id":3' })],
  ['api.md', '"error"', error],
  ['api.md', '"subscribe"', clientMessage],
  ['backup.md', '"code"', error],
  ['behind-a-proxy.md', 'HTTPS_PROXY=', settings],
  ['behind-a-proxy.md', 'REQUESTS_CA_BUNDLE', settings],
  ['behind-a-proxy.md', 'SIGNALBOX_TRUSTED_PROXIES', settings],
  ['behind-a-proxy.md', 'proxy_pass', elsewhere(proxies, 'it starts nginx with it')],
  ['behind-a-proxy.md', 'httpchk', elsewhere(proxies, 'it starts HAProxy with it')],
  ['behind-a-proxy.md', 'ProxyPass', elsewhere(proxies, 'it starts Apache with it')],
  ['build-and-deploy.md', 'tar -czf', task({ replace: { '/tmp/': './' } })],
  ['build-and-deploy.md', 'hosts: web', ansible('playbook')],
  [
    'cluster-setup.md',
    'docker build',
    commands({ shows: 'docker compose -f compose-cluster.yaml' }),
  ],
  [
    'cluster-setup.md',
    'signalbox backup',
    commands({ replace: beside, shows: 'exec --no-TTY web1 signalbox backup' }),
  ],
  ['cluster-setup.md', '--no-deps web1', commands({ replace: beside, shows: '--no-deps web1' })],
  ['company-sign-in.md', 'oidc:', identityFile],
  ['company-sign-in.md', '# OpenLDAP', identityFile],
  ['company-sign-in.md', '# Active Directory', identityFile],
  ['active-directory.md', '# nested groups', identityFile],
  ['docker.md', 'docker build', commands({ replace: inCheckout, shows: 'docker build -f' })],
  ['docker.md', 'mkdir -m 700', commands({ shows: 'docker compose up' })],
  [
    'docker.md',
    'database_password',
    commands({ replace: withSecrets, shows: '-f compose-postgres' }),
  ],
  ['docker.md', '--wait', commands({ shows: 'docker compose up --detach --wait' })],
  ['docker.md', 'signalbox backup', commands({ shows: 'exec --no-TTY server signalbox backup' })],
  ['environments.md', '"domain"', anyJson],
  [images, 'podman login', elsewhere(engine, 'it signs in to a registry')],
  [images, 'version: 3', elsewhere(builder, 'ansible-builder reads it')],
  [images, 'ansible-builder build', elsewhere(builder, 'it runs ansible-builder')],
  [images, 'COPY terraform', elsewhere(engine, 'it builds the image')],
  [images, 'podman save', elsewhere(engine, 'it saves an image')],
  [images, 'podman load', elsewhere(engine, 'it loads the image')],
  [images, 'enable-linger', commands({ shows: 'loginctl enable-linger signalbox-runner' })],
  [images, 'Description=Signalbox runner', elsewhere(engine, 'it compares the unit')],
  [images, '--machine', commands({ shows: 'enable --now signalbox-runner' })],
  [images, '--groups docker', commands({ shows: 'usermod --append' })],
  [images, 'SIGNALBOX_CONTAINER_NETWORKS', settings],
  ['first-project.md', 'deploy-key', commands({ shows: 'ssh-ed25519' })],
  ['first-project.md', '[web]', ansible('inventory', 'web-2.example.com')],
  [backup, 'mkdir -p', commands({ replace: backupsHere, shows: 'read back and checked' })],
  [backup, '--key-to', commands({ replace: madeHere, shows: 'Keep it apart' })],
  [backup, 'restic', commands({ shows: 'restic backup --stdin' })],
  [backup, 'gpg', commands({ shows: '--recipient' })],
  [backup, 'SIGNALBOX_BACKUP_KEEP', settings],
  [backup, 'npx signalbox restore --from', commands({ replace: restoredHere, shows: 'Start the' })],
  [backup, '--drill', commands({ replace: restoredHere, shows: 'For a drill' })],
  [backup, 'SIGNALBOX_PORT', commands({ replace: drillHere, shows: 'is ready' })],
  [backup, 'rm -r', commands({ replace: { 'rm -r': 'mkdir -p /tmp/drill; rm -r' } })],
  ['install.md', 'sha256sum', elsewhere(release, 'it checks the sums')],
  ['install.md', 'apt-get install', elsewhere(release, 'it unpacks the package')],
  ['install.md', 'first-password', elsewhere(release, 'it signs in with the file')],
  ['install.md', 'ssh -L', commands({ shows: 'localforward' })],
  ['install.md', 'ReadWritePaths', elsewhere('test/security/deploy.test.ts', 'the unit has them')],
  ['install.md', 'npm install --global', elsewhere(release, 'it lays out what npm does')],
  ['install.md', 'npx --package', elsewhere(release, 'it lays out what npx does')],
  ['install.md', 'signalbox-*/bin/signalbox', elsewhere(release, 'it unpacks and starts')],
  ['install.md', '/etc/sysusers.d', elsewhere('test/security/deploy.test.ts', 'it reads the unit')],
  ['install.md', 'export SIGNALBOX_ENV', elsewhere(release, 'it names the same files')],
  ['integrations.md', 'openssl dgst', commands({ shows: '"started"' })],
  ['inventories.md', '[production:children]', ansible('inventory', 'web-3.example.com')],
  ['inventories.md', 'http_port', ansible('inventory', 'http_port')],
  ['keys.md', 'production-key', commands()],
  ['keys.md', 'git.example.org/team/', request(newHostConfig)],
  ['kubernetes.md', 'one-server.yaml', commands({ shows: 'rollout status statefulset/signalbox' })],
  ['kubernetes.md', 'several-servers.yaml', commands({ shows: 'rollout status deployment/web' })],
  ['kubernetes.md', 'delete pod', commands({ shows: 'wait --for=condition=Ready pod/runner-0' })],
  ['kubernetes.md', 'signalbox backup', commands({ shows: 'exec signalbox-0' })],
  ['monitoring.md', 'scrape_configs', elsewhere('test/monitoring.test.ts', 'promtool reads it')],
  ['monitoring.md', 'group_left', elsewhere('test/monitoring.test.ts', 'promtool reads it')],
  ['operation.md', 'npm run build', elsewhere(remote, 'it builds the server')],
  ['operation.md', '"anna"', elsewhere('test/operation-log.test.ts', 'it signs in wrongly')],
  ['operation.md', 'failregex', elsewhere('test/operation-log.test.ts', 'it applies the filter')],
  ['operation.md', 'journalmatch', elsewhere('test/operation-log.test.ts', 'it reads the log')],
  ['outputs.md', '"is_secret"', answer(outputEndpoints.outputs.reply)],
  ['outputs.md', 'notes<<END', task({ variables: { token: 'canary' } })],
  ['outputs.md', 'jq -n', task({ variables: { token: 'canary' } })],
  ['outputs.md', 'set_stats', ansible('playbook')],
  [
    'pods.md',
    '-f runner.yaml',
    commands({ replace: withToken, shows: 'rollout status statefulset/signalbox-runner' }),
  ],
  ['pods.md', 'set-context', commands({ shows: 'use-context production' })],
  ['pods.md', 'SIGNALBOX_KUBERNETES_CONFIG', settings],
  [
    'pods.md',
    'docker-registry',
    commands({ replace: withPassword, shows: 'secret docker-registry registry-login' }),
  ],
  ['postgresql.md', 'createuser', commands({ replace: owner })],
  ['postgresql.md', 'SIGNALBOX_DATABASE_URL', settings],
  [
    'postgresql.md',
    'migrate --from sqlite',
    elsewhere('src/server/cli/move.test.ts', 'it moves a database'),
  ],
  ['remote-runners.md', 'build:runner', elsewhere(remote, 'it packs a runner')],
  ['remote-runners.md', 'tar -xzf', elsewhere(remote, 'it unpacks a runner')],
  ['remote-runners.md', 'runner-data', settings],
  ['remote-runners.md', 'sbr_', settings],
  ['remote-runners.md', 'docker run', settings],
  ['repositories.md', 'ssh-keygen -l', commands({ replace: inPlace, shows: 'SHA256:' })],
  ['results.md', '"hosts"', request(tasks.runAgain.body)],
  ['scripts.md', 'replicas=', task({ variables: shop, shows: 'eu-2: 3 replicas' })],
  ['scripts.md', 'trap', task()],
  ['scripts.md', 'accept-new', commands({ shows: 'stricthostkeychecking accept-new' })],
  ['scripts.md', 'requests==', elsewhere('src/runner/apps/python.test.ts', 'it installs packages')],
  ['scripts.md', '/api/apps/perl', commands()],
  ['secrets.md', '"operation"', request(newEnvironment)],
  [
    'security-model.md',
    'useradd',
    commands({ shows: 'useradd --system --user-group --create-home run9' }),
  ],
  ['security-model.md', 'keys rotate', commands()],
  ['several-servers.md', 'SIGNALBOX_ROLE', settings],
  ['several-servers.md', 'RUNNER_TAGS', settings],
  ['surveys.md', '"version', commands({ shows: '"template_id":3' })],
  ['terraform.md', 'backend', elsewhere('src/runner/apps/terraform.test.ts', 'it reads a backend')],
  [
    'upgrade.md',
    'git pull',
    commands({
      replace: { 'cd /opt/signalbox': ':', 'git pull': 'echo git pull' },
      shows: 'systemctl restart signalbox',
    }),
  ],
  ['upgrade.md', 'mv signalbox.db', elsewhere(recorded, 'it goes back on SQLite')],
  ['upgrade.md', 'pg_restore', elsewhere(recorded, 'it goes back on PostgreSQL')],
  ['workflows.md', '/workflows/3/runs', commands({ shows: '"Release 1.4"' })],
];

/** The claims about a block. */
export const claimsOf = ({ page, text }: Block): Claim[] =>
  claims.filter(([of, part]) => of === page && text.includes(part));
