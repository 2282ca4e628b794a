#!/bin/sh
# podman 4.3.1 with conmon 2.1.6 and runc 1.1.5 (Debian): as root.
#
# One would guess: when the monitor of a container (conmon) is killed, `podman wait` and `podman run` still
# wait for the program, and after its end `podman ps` says that the container has exited.
# Seen: the program goes on and ends, and podman says "running" and "Up" of it for good. `podman wait` gives
# up after twenty seconds with 125, `podman run` with 127, the code for a command that does not exist. The
# program's own exit code is nowhere. So who needs it has to have the program's side write it down.
set -eu

folder=$(mktemp -d)
cd "$folder"
apt-get download -qq podman=4.3.1+ds1-8+deb12u1+b3 conmon=2.1.6+ds1-1 runc=1.1.5+ds1-1+deb12u1 \
  libsubid4 busybox-static >apt.log 2>&1
for package in *.deb; do dpkg-deb --extract "$package" root; done
mkdir -p image/bin image/out out
cp root/bin/busybox image/bin
for name in sh sleep; do ln -s busybox image/bin/$name; done
echo '{ "default": [{ "type": "insecureAcceptAnything" }] }' >policy.json
podman() {
  LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu root/usr/bin/podman --root "$folder/store" \
    --runroot "$folder/run" --conmon "$folder/root/usr/bin/conmon" --runtime "$folder/root/usr/sbin/runc" \
    --cgroup-manager cgroupfs "$@"
}
trap 'podman rm --force --all >/dev/null 2>&1; rm -rf "$folder" 2>/dev/null || true' EXIT
podman --version
tar -C image -c . | podman import --signature-policy policy.json - localhost/small:1 >/dev/null 2>&1

# Runs for five seconds, says so in a file, and ends with 7.
start() {
  podman run "$@" --network none --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 \
    --volume "$folder/out:/out" localhost/small:1 sh -c 'sleep 5; echo ended >/out/end; exit 7'
}
kill_monitor() {
  sleep 2
  kill -9 "$(podman inspect --format '{{.State.ConmonPid}}' "$1")"
}

code=0
start --name whole || code=$?
echo "with its monitor: podman run exits with $code"
test "$code" = 7
rm out/end

start --detach --name waited >/dev/null
kill_monitor waited
sleep 6
state=$(podman inspect --format '{{.State.Status}}' waited)
code=0
podman wait waited 2>said || code=$?
echo "the program said \"$(cat out/end)\"; the state is $state; podman wait exits with $code: $(tail -n 1 said)"
test "$(cat out/end)" = ended && test "$state" = running && test "$code" = 125

start --name attached 2>said &
run=$!
kill_monitor attached
code=0
wait $run || code=$?
echo "podman run exits with $code"
test "$code" = 127
