#!/bin/sh
# podman 4.3.1 with conmon 2.1.6 and runc 1.1.5 (Debian): as root.
#
# One would guess: `podman rm --force` removes a container in whatever state, also when its process and its
# monitor (conmon) are gone already, as after a crash or a kill of all processes of a job.
# Seen: the first call ends with 2, since it cannot send a signal to the process that is gone, and leaves the
# container as "Stopping", also a second later. The same call again removes it and ends with 0.
# So who cleans up after a kill has to look at the exit code, and try again.
set -eu

folder=$(mktemp -d)
cd "$folder"
apt-get download -qq podman=4.3.1+ds1-8+deb12u1+b3 conmon=2.1.6+ds1-1 runc=1.1.5+ds1-1+deb12u1 \
  libsubid4 busybox-static >apt.log 2>&1
for package in *.deb; do dpkg-deb --extract "$package" root; done
mkdir -p image/bin image/etc
cp root/bin/busybox image/bin
ln -s busybox image/bin/sleep
echo '{ "default": [{ "type": "insecureAcceptAnything" }] }' >policy.json
podman() {
  LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu root/usr/bin/podman --root "$folder/store" \
    --runroot "$folder/run" --conmon "$folder/root/usr/bin/conmon" --runtime "$folder/root/usr/sbin/runc" \
    --cgroup-manager cgroupfs "$@"
}
trap 'podman rm --force --all >/dev/null 2>&1 || podman rm --force --all >/dev/null 2>&1 || true
  rm -rf "$folder" 2>/dev/null || true' EXIT
podman --version
tar -C image -c . | podman import --signature-policy policy.json - localhost/small:1 >/dev/null 2>&1

podman run --detach --name job --network none --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 \
  localhost/small:1 sleep 100 >/dev/null
# The monitor first, as a kill of everything may find it.
for field in ConmonPid Pid; do kill -9 "$(podman inspect --format "{{.State.$field}}" job)"; done
sleep 1
first=0 second=0
podman rm --force --time 0 job >/dev/null 2>&1 || first=$?
state=$(podman ps --all --format '{{.Status}}')
podman rm --force --time 0 job >/dev/null 2>&1 || second=$?
echo "first: exit code $first, then $state; second: exit code $second, then $(podman ps --all --quiet | wc -l) left"
[ "$first $state $second" = '2 Stopping 0' ]
