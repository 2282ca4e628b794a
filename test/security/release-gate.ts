// The release gate: the subject of each gate, and the tests that check it. The end of a test run
// prints one line for each, see scripts/gate-lines.ts. In a file that belongs to several gates, a
// title that begins with "gate 5:" counts for that gate only.

export interface Gate {
  number: number;
  about: string;
  files: readonly string[];
  /** What no test checks, if there is something. */
  open?: string;
}

const security = (...names: string[]): string[] =>
  names.map((name) => `test/security/${name}.test.ts`);
const whole = (...names: string[]): string[] => names.map((name) => `test/${name}.test.ts`);
const runner = (...names: string[]): string[] => names.map((name) => `src/runner/${name}.test.ts`);
const runs = (...names: string[]): string[] => names.map((name) => `test/runs/${name}.test.ts`);
const server = (...names: string[]): string[] => names.map((name) => `src/server/${name}.test.ts`);

export const gates: readonly Gate[] = [
  {
    number: 1,
    about: 'who may do what: every route and message, by role, in own and foreign projects',
    files: [
      ...security('gates'),
      ...whole('permissions', 'roles', 'permission-matrix', 'live-permissions'),
      ...whole('foreign-ids', 'properties-by-role'),
      ...server(
        'http/live',
        'automation/templates/copies',
        'backups/restore',
        'automation/integrations/webhooks',
      ),
    ],
  },
  {
    number: 2,
    about: 'planted secrets are found nowhere',
    files: security('gates', 'canaries', 'secret-fields', 'errors'),
  },
  {
    number: 3,
    about: 'masking in other forms and across pieces',
    files: [...whole('masking'), ...runner('log/mask')],
  },
  {
    number: 4,
    about: 'hostile values reach no shell, no template and no other file',
    files: [
      ...security('injection', 'ansible-injection', 'checkout-files', 'attacks'),
      ...runner('sandbox/sandbox'),
    ],
  },
  {
    number: 5,
    about: 'other sites, headers, sign-in, its limits, sessions, one-time codes',
    files: [
      ...security(
        'gates',
        'sign-in',
        'oidc-sign-in',
        'ldap-sign-in',
        'directory-groups',
        'pending-mfa-sessions',
      ),
      ...server('people/session/session', 'people/session/own-sessions'),
      ...server(
        'people/second-factor/codes',
        'people/second-factor/required',
        'people/second-factor/second-factor',
      ),
    ],
  },
  {
    number: 6,
    about: 'requests to addresses inside',
    files: [
      ...security('inside-repositories'),
      ...server('lib/outbound', 'lib/outbound-proxy', 'alerts/send'),
    ],
  },
  {
    number: 7,
    about: 'the server ends at any moment, and what comes after',
    files: [
      ...whole('task-lifecycle', 'alerts-crash', 'drain', 'clock-jump', 'full-disk'),
      ...whole('cluster/cluster', 'crash'),
    ],
    open: 'many random moments: `npm run drill:crash` and `drill:kill`',
  },
  {
    number: 8,
    about: 'the end of whole trees of processes',
    files: [
      ...security('escape'),
      ...runs('stop', 'restarts'),
      ...runner('runs/stop'),
      ...runner('supervisor/supervisor', 'runs/run-task'),
    ],
  },
  {
    number: 9,
    about: 'a due time fires once',
    files: server('automation/schedules/race', 'automation/schedules/scheduler', 'lib/cron'),
  },
  {
    number: 10,
    about: 'a database of before',
    files: whole('engines', 'upgrades', 'recorded-installations'),
  },
  {
    number: 11,
    about: 'master key missing, wrong, rotated',
    files: server(
      'administration/installation/rotate-master-key',
      'administration/installation/rotate-busy',
      'cli/cli',
    ),
  },
  {
    number: 12,
    about: 'list of parts',
    files: security('gates'),
    open: 'known holes in them: `npm run audit` asks the registry; a scan of the image; a signed release',
  },
  {
    number: 13,
    about: 'a hostile task gets at nothing',
    files: [
      ...security('escape', 'deploy', 'deploy-cluster', 'deploy-compose', 'deploy-kubernetes'),
      ...security('deploy-kubernetes-runner'),
      ...runs('run-as', 'run-as-start'),
      ...runner('workspace/run-as-tools', 'prepare/keys-by-host'),
    ],
  },
  {
    number: 14,
    about: 'no input of anybody holds the event loop',
    files: security('largest-inputs', 'largest-messages'),
  },
];
