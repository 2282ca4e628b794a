// The versions of ansible-core with which `npm run test:toolchains` runs playbooks and compares the results.

/** Oldest first; the last one may be a pre-release. */
export const triedAnsible = [
  { version: '2.14.18', python: '3.11' },
  { version: '2.16.19', python: '3.11' },
  { version: '2.18.19', python: '3.12' },
  { version: '2.20.10', python: '3.12' },
  { version: '2.21.5', python: '3.13' },
  { version: '2.22.0rc1', python: '3.13' },
] as const;

const newest = triedAnsible.at(-1);

/** The release, such as 2.22, in the output of `ansible --version`. */
const release = /(?:^|core )(\d+)\.(\d+)/;

const numberOf = (text: string): number => {
  const [, major, minor] = release.exec(text) ?? [];
  return Number(major) * 1000 + Number(minor);
};

/** Whether a version, as Ansible prints it, is of a later release than all tested ones. */
export const isNewerAnsible = (printed: string): boolean =>
  numberOf(printed) > numberOf(newest?.version ?? '');
