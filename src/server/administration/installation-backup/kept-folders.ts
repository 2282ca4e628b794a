// Which parts of the data folder a backup of the installation contains.

/** Folders that nothing can make again. */
export const keptFolders = [
  // Repositories that were made here, such as those of demo projects.
  'repositories',
  // The pinned keys of ssh hosts.
  'known-hosts',
  // The states of Terraform that no backend keeps.
  'terraform',
  // What was set aside, such as states of templates that were deleted.
  'set-aside',
] as const;

/** What the product makes again, or what belongs to one machine, with the reason. */
export const leftOut: Record<string, string> = {
  'signalbox.db': 'a consistent copy is in the backup',
  'signalbox.db-wal': 'its content is in the copy of the database',
  'signalbox.db-shm': 'belongs to running processes',
  'master.key': 'kept apart from the backup',
  'server.lock': 'belongs to a running server',
  'backup.lock': 'belongs to a running backup',
  'runner.pid': 'belongs to a running runner',
  'runner.sock': 'belongs to a running server',
  installation: 'the id of the installation is in the database',
  installations: 'what other installations have kept here, which is no part of this one',
  'runner-id': 'names a server of this machine',
  'runner.json': 'the identity of a remote runner, which has no database',
  upgrades: 'copies of the database from before upgrades, for the way back on this machine',
  'cache-cleared': 'a note about the caches',
  '.writable': 'tells whether the folder can be written',
  '.restore': 'belongs to a running restore',
  'restore-unfinished': 'the mark of a restore',
  restored: 'the settings of the backup that was restored',
  runs: 'files of running tasks, which do not go on elsewhere',
  mirrors: 'copies of repositories, which are fetched again',
  spares: 'checkouts of earlier versions, which are removed',
  galaxy: 'roles and collections, which are installed again',
  venvs: 'packages of Python, which are installed again',
  facts: 'a cache of facts, which are gathered again',
  homes: 'caches of programs, which the product removes when the disk is full',
};
