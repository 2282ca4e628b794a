// `npm run drill:crash [-- KILLS]`: kills the server with -9 at random moments under load, and
// prints what went wrong. Every count must be 0.

import { runCrashDrill } from '../test/helpers/crash-drill.ts';
import { newSeed, seedVariable } from '../test/helpers/random.ts';

const rounds = Number(process.argv[2] ?? 50);
const seed = newSeed();
console.log(`${seedVariable}=${seed} chooses the same moments again`);
const { counts, kills, tasks, findings } = await runCrashDrill(rounds, seed, (text) => {
  console.log(text);
});
console.log(`\n${kills} kills, ${tasks} tasks`);
console.log(`tasks lost              ${counts.tasksLost}`);
console.log(`tasks stuck             ${counts.tasksStuck}`);
console.log(`tasks run twice         ${counts.tasksRunTwice}`);
console.log(`lines lost or doubled   ${counts.linesLostOrDoubled}`);
console.log(`orphan processes        ${counts.orphanProcesses}`);
console.log(`leftover folders        ${counts.leftoverFolders}`);
for (const finding of findings) console.log(`  ${finding}`);
if (Object.values(counts).some((count) => count > 0)) process.exitCode = 1;
