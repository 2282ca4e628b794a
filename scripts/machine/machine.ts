// A machine that qemu emulates, with a kernel and a systemd of its own.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { Disk } from './disk.ts';

export interface Machine {
  printed: () => string;
  /** Runs a line of a shell on it as root and returns what it prints. */
  run: (line: string) => Promise<string>;
  stop: () => Promise<void>;
}

// qemu emulates the processor too, because machines for tests mostly have no virtualization.
const hardware = ['-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '2', '-m', '2048'];

/** Starts the machine; ports of 127.0.0.1 are forwarded to its server and its sshd. */
export function startMachine(
  disk: Disk,
  { server, ssh }: { server: number; ssh: number },
  key: string,
): Machine {
  const ways = [`${server}-:3000`, `${ssh}-:22`].map((way) => `hostfwd=tcp:127.0.0.1:${way}`);
  const boot = ['-kernel', disk.kernel, '-initrd', disk.initrd];
  const kernel = ['-append', 'root=/dev/vda rw console=ttyS0'];
  const drive = ['-drive', `file=${disk.file},if=virtio,format=raw`];
  const net = ['-netdev', ['user,id=net', ...ways].join(','), '-device', 'virtio-net,netdev=net'];
  const screen = ['-display', 'none', '-serial', 'stdio', '-no-reboot'];
  const args = [...hardware, ...boot, ...kernel, ...drive, ...net, ...screen];
  const child = spawn('qemu-system-x86_64', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  const ended = once(child, 'close');
  // A machine of this test alone, so its host key needs no check.
  const host = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'];
  const to = [...host, '-o', 'LogLevel=ERROR', '-i', key, '-p', String(ssh), 'root@127.0.0.1'];
  return {
    printed: () => text,
    run: async (line) => (await promisify(execFile)('ssh', [...to, line])).stdout,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
