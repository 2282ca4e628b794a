#!/bin/sh
# podman 4.3.1 with conmon 2.1.6 and runc 1.1.5 (Debian), control groups of version 1: as root.
#
# One would guess: after the kernel has killed a program of a container because of `--memory`, `podman
# inspect` says `OOMKilled` true, and podman writes nothing outside of its own folders.
# Seen: `OOMKilled` is false, with the exit code 137. The monitor of the container has seen it, but writes its
# note, an empty file named `oom`, into the folder in which podman was called, where podman does not look.
# So a caller has to count `oom_kill` inside of the container, and call podman in a folder of its own.
set -eu

folder=$(mktemp -d)
cd "$folder"
apt-get download -qq podman=4.3.1+ds1-8+deb12u1+b3 conmon=2.1.6+ds1-1 runc=1.1.5+ds1-1+deb12u1 \
  libsubid4 busybox-static >apt.log 2>&1
for package in *.deb; do dpkg-deb --extract "$package" root; done
mkdir -p image/bin image/etc called
cp root/bin/busybox image/bin
for name in sh yes head; do ln -s busybox image/bin/$name; done
echo '{ "default": [{ "type": "insecureAcceptAnything" }] }' >policy.json
podman() {
  LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu "$folder/root/usr/bin/podman" --root "$folder/store" \
    --runroot "$folder/run" --conmon "$folder/root/usr/bin/conmon" --runtime "$folder/root/usr/sbin/runc" \
    --cgroup-manager cgroupfs "$@"
}
trap 'podman rm --force --all >/dev/null 2>&1; rm -rf "$folder" 2>/dev/null || true' EXIT
podman --version
tar -C image -c . | podman import --signature-policy policy.json - localhost/small:1 >/dev/null 2>&1

code=0
(cd called && podman run --name eater --memory 32m --memory-swap 32m --network none \
  --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 localhost/small:1 \
  sh -c '(x=$(yes | head -c 200000000); echo done) & wait $!; exit $?') || code=$?
said=$(podman inspect --format '{{.State.OOMKilled}}' eater)
echo "exit code $code, OOMKilled $said, files where podman was called: $(ls called)"
[ "$code $said $(ls called)" = '137 false oom' ]
