// `npm run drill:kill [-- KILLS]`: kills supervisors and programs of running tasks with -9, and
// prints what went wrong. Every count must be 0.

import { runKillDrill } from '../test/helpers/kill-drill.ts';
import { newSeed, seedVariable } from '../test/helpers/random.ts';

const kills = Number(process.argv[2] ?? 50);
const seed = newSeed();
console.log(`${seedVariable}=${seed} chooses the same moments again`);
const result = await runKillDrill(kills, seed, (text) => {
  console.log(text);
});
const { counts, supervisors, programs, tasks, findings } = result;
console.log(`\n${supervisors} supervisors and ${programs} programs killed, ${tasks} tasks`);
console.log(`tasks stuck             ${counts.tasksStuck}`);
console.log(`tasks run twice         ${counts.tasksRunTwice}`);
console.log(`tasks that ended wrong  ${counts.wrongEnds}`);
console.log(`lines lost or doubled   ${counts.linesLostOrDoubled}`);
console.log(`orphan processes        ${counts.orphanProcesses}`);
console.log(`leftover folders        ${counts.leftoverFolders}`);
for (const finding of findings) console.log(`  ${finding}`);
if (Object.values(counts).some((count) => count > 0)) process.exitCode = 1;
