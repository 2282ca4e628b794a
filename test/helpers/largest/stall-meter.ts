// Loaded into the process of a server before its own modules (`--import`). Answers on a socket for how
// long the event loop was held at a stretch, in processor time of its thread, so that a machine that is
// busy with other things fails no test. Each answer begins a new measurement, without garbage of the last.

import { createServer } from 'node:net';
import { env } from 'node:process';
import { collectGarbage } from '../collect-garbage.ts';

const path = env['STALL_METER'];
// Neither is meant for the programs that the server starts.
delete env['STALL_METER'];
delete env['NODE_OPTIONS'];

if (path !== undefined) {
  let worst = 0;
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    worst = Math.max(worst, (user + system) / 1000);
  };
  setInterval(look, 5).unref();
  const server = createServer((socket) => {
    look();
    const longest = worst;
    collectGarbage();
    before = process.threadCpuUsage();
    worst = 0;
    socket.end(String(longest));
  });
  server.listen(path).unref();
}
