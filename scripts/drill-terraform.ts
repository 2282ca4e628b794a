// `npm run drill:terraform [-- APPLIES]`: applies with Terraform and OpenTofu while programs, runner
// and server are stopped or killed and the disk is full. Every count must be 0 but that of objects which
// a killed program could not write into its state.

import { newSeed, seedVariable } from '../test/helpers/random.ts';
import { runDrill } from '../test/toolchains/drill.ts';
import { buildToolchains } from '../test/toolchains/programs.ts';

const applies = Number(process.argv[2] ?? 100);
const seed = newSeed();
console.log(`${seedVariable}=${seed} chooses the same moments again`);
const toolchains = buildToolchains();
const { counts, ends, findings, ...result } = await runDrill(toolchains, applies, seed, (text) => {
  console.log(text);
});
console.log(`\n${result.applies} applies`);
for (const end of [...ends.keys()].toSorted()) console.log(`  ${end}  ${ends.get(end)}`);
console.log(`objects without state           ${counts.objectsWithoutState}`);
console.log(`lost with a killed program      ${result.lostByProgram}`);
console.log(`successes that lost something   ${counts.falseSuccesses}`);
console.log(`applies that failed afterwards  ${counts.appliesThatFailedAfterwards}`);
console.log(`tasks stuck                     ${counts.tasksStuck}`);
for (const finding of findings) console.log(`  ${finding}`);
if (Object.values(counts).some((count) => count > 0)) process.exitCode = 1;
