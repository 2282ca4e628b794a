// A disk with Debian 13 and the Debian package on it, made without a device: debootstrap fills a
// folder, and mke2fs copies it into a file.

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { program } from '../trial/programs.ts';

export interface Disk {
  file: string;
  kernel: string;
  initrd: string;
}

interface DiskOptions {
  /** A folder of the caller, which is filled. */
  place: string;
  debianPackage: string;
  /** Of `/etc/signalbox/environment`. */
  settings: Record<string, string>;
  /** Files of the repository `/srv/code`, by name. */
  code: Record<string, string>;
  /** The public key with which root can sign in. */
  publicKey: string;
}

const first = ['systemd', 'systemd-sysv', 'udev', 'ca-certificates', 'openssh-server', 'git'];
const packages = ['linux-image-cloud-amd64', 'initramfs-tools', 'ansible-core'];
const diskSize = '4G';

// The network that qemu provides.
const network = '[Match]\nName=e*\n[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\n';

export function makeDisk({ place, debianPackage, settings, code, publicKey }: DiskOptions): Disk {
  const [root, file] = [join(place, 'root'), join(place, 'disk')];
  program('debootstrap', ['--variant=minbase', `--include=${first.join(',')}`, 'trixie', root]);
  // Nothing is started while packages are installed here.
  const policy = join(root, 'usr/sbin/policy-rc.d');
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  copyFileSync(debianPackage, join(root, 'root', basename(debianPackage)));
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  const install = 'apt-get install --yes --quiet=2 --no-install-recommends';
  inside(root, `mount -t proc proc /proc && ${install} ${packages.join(' ')} /root/*.deb`);
  inside(root, 'systemctl enable systemd-networkd ssh');
  rmSync(policy);

  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  write(root, 'etc/signalbox/environment', lines.join(''));
  write(root, 'etc/systemd/network/10-qemu.network', network, 0o644);
  write(root, 'etc/fstab', '/dev/vda / ext4 rw 0 1\n');
  write(root, 'root/.ssh/authorized_keys', publicKey);
  for (const [name, text] of Object.entries(code)) write(root, join('srv/code', name), text, 0o644);
  const commit = 'git -c user.name=A -c user.email=a@example.com commit --quiet -m One';
  inside(root, `cd /srv/code && git init --quiet -b main && git add . && ${commit}`);

  program('mke2fs', ['-q', '-t', 'ext4', '-d', root, file, diskSize]);
  const [kernel, initrd] = [join(place, 'vmlinuz'), join(place, 'initrd.img')];
  // Links in the root lead to those that were installed.
  for (const path of [kernel, initrd]) copyFileSync(join(root, basename(path)), path);
  rmSync(root, { recursive: true, force: true });
  return { file, kernel, initrd };
}

/** Runs a line of a shell in the folder as root, with its own mounts. */
const inside = (root: string, line: string): void =>
  program('unshare', ['--mount', '--pid', '--fork', 'chroot', root, 'sh', '-ec', line]);

function write(root: string, path: string, text: string, mode = 0o600): void {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text, { mode });
}
