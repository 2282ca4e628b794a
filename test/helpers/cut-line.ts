// A connection to a server that tests can cut: data on its way is lost, and nobody can connect until
// it is restored.

import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Line {
  port: number;
  cut: () => void;
  /**
   * Makes the line behave like an unplugged cable: connections stay open, and data arrives when the
   * line is restored.
   */
  silence: () => void;
  mend: () => void;
}

/** Opens a line to a port of this machine, which is closed when the test ends. */
export async function cutLine(target: number): Promise<Line> {
  /** Each socket, and the socket that receives its data. */
  const pairs = new Map<Socket, Socket>();
  let isCut = false;
  let isSilent = false;
  // A socket that was paused stays paused, whatever `pipe` does.
  const hold = (socket: Socket): void => {
    socket.unpipe();
    socket.pause();
  };
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      pairs.set(one, other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        pairs.delete(one);
        other.destroy();
      });
      one.pipe(other);
      if (isSilent) hold(one);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of pairs.keys()) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of pairs.keys()) socket.destroy();
    },
    silence() {
      isSilent = true;
      for (const socket of pairs.keys()) hold(socket);
    },
    mend() {
      isCut = false;
      isSilent = false;
      for (const [one, other] of pairs) one.pipe(other);
    },
  };
}
