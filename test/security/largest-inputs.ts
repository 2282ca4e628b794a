// The largest inputs of the endpoints that take much, each by the role with the fewest rights that may send
// it.

import { inventoryInputs } from '../helpers/largest/inventory-inputs.ts';
import type { LargeInput } from '../helpers/largest/input.ts';
import { otherInputs } from '../helpers/largest/other-inputs.ts';
import { restoreInputs } from '../helpers/largest/restore-inputs.ts';
import { runnerInputs } from '../helpers/largest/runner-inputs.ts';

export const largeInputs: LargeInput[] = [
  ...runnerInputs,
  ...otherInputs,
  ...inventoryInputs,
  ...restoreInputs,
];

/**
 * The milliseconds for which the version of October 2026 let everybody wait, on a machine with two slow
 * processors, by endpoint and what was sent. Null: it did not answer within a minute.
 */
export const before: Record<string, number | null> = {
  'runnerApi.log 1,100,000 empty lines of a task of another': 295,
  'runnerApi.log 24 MB of empty lines': 735,
  'runnerApi.log 1,100,000 empty lines': 546,
  'runnerApi.log a line of 4 MiB of control characters': 85,
  'runnerApi.log a line of 16 MiB': 43,
  'runnerApi.log 41 MB of lines': 175,
  'runnerApi.report 1,000 results of 6 kB': 64,
  'runnerApi.report 1,000 results with 50 items each': 116,
  'runnerApi.report facts of 1,000 hosts': 205,
  'runnerApi.filterExisting 10,000 of each thing': 34,
  'runnerApi.poll 10,000 held tasks': 57,
  'webhooks.receive a list of 1 MiB of numbers': 177,
  'webhooks.receive 65,000 keys': 276,
  'webhooks.receive exact numbers of 1 MiB': 135,
  'inventories.create 200 ranges of 50,000 hosts': 1534,
  'inventories.create many ranges in one line of 8 kB': 5040,
  'inventories.create a line of 40 kB of ranges': null,
  'inventories.create lines of many ranges without hosts': 4911,
  'inventories.create 4 MB of hosts': 1767,
  'inventories.create 2,500 groups in each other': 237,
  'inventories.create 4 MB of groups': 837,
  'inventories.create 4 MB of quotes': 191,
  'inventories.create one line of 4 MB': 65,
  'inventories.create 4 MB of colons': 100,
  'inventories.create 4 MB of brackets': 189,
  'inventories.create YAML of 4 MB': 1797,
  'inventories.create YAML of ranges': 1336,
  'inventories.preview a range of 50,000 hosts': 28,
  'environments.create all variables and 500 secrets': 602,
  'templates.create a survey of 16,000 values': 122,
  'workflows.create 100 nodes and 495 edges': 48,
  'tasks.start answers and options of 256 KiB': 21,
  'tasks.runAgain 20,000 hosts': 39,
  'views.place 49,000 views': 102,
  'identity.try 49,000 claims': 41,
  'deliveries.try a body of 1 MiB': 195,
  'backups.restore 2,000 empty templates': null,
  'backups.restore 2,000 templates with unknown references': null,
  'backups.restore 300,000 unknown keys': 2037,
  'backups.restore 300,000 unknown keys of a thing': 2511,
  'backups.restore 200 unknown keys of 2,000 things': 1403,
  'backups.restore a chain of 2,000 workflows': null,
  'backups.restore 300 templates': 1609,
  'backups.restore 30 large surveys': 1079,
  'backups.restore 300 of each thing that stands alone': 558,
  'backups.restore 200 inventories of 50,000 hosts': null,
  'backups.restore an inventory of 4 MB': 1893,
  'backups.restore names of 16 MB': 129,
  'backups.restore 400,000 values of nobody': 44,
};
