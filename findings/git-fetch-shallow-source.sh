#!/bin/sh
# git 2.39.5 (Debian): a fetch that refuses a branch says so in a warning and exits 0.
#
# One would guess: `git fetch` of `+refs/heads/*` either moves the branch or fails, so that exit code 0
# means that the mirror has what the source has.
# Seen: the source was made shallow (`fetch --depth 1`, `reset --hard`). A mirror that was complete
# refuses the new commit, keeps the old one, prints one warning and exits 0. The next clone of the
# mirror builds the old commit. `--update-shallow` takes it; otherwise compare with `ls-remote`.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq git=1:2.39.5-0+deb12u3 >apt.log 2>&1
dpkg-deb --extract git_*.deb root
git() {
  HOME=$folder GIT_CONFIG_NOSYSTEM=1 GIT_EXEC_PATH=$folder/root/usr/lib/git-core \
    "$folder/root/usr/bin/git" -c user.name=A -c user.email=a@example.com -c init.defaultBranch=main "$@"
}
git --version

commit() {
  echo "$2" >"$1/file"
  git -C "$1" add file
  git -C "$1" commit --quiet --message "$2"
}
git init --quiet upstream
commit upstream one
commit upstream two
git clone --quiet "file://$folder/upstream" source
git clone --quiet --mirror "file://$folder/source" mirror
commit upstream three
git -C source fetch --quiet --depth 1 origin main
git -C source reset --quiet --hard FETCH_HEAD

code=0
git -C mirror fetch --quiet origin '+refs/heads/*:refs/heads/*' 2>said || code=$?
wanted=$(git -C mirror ls-remote origin refs/heads/main | cut -f 1)
has=$(git -C mirror rev-parse refs/heads/main)
cat said
echo "exit code $code; the source has $wanted, the mirror $has"
test "$code" = 0
test "$wanted" != "$has"
git -C mirror fetch --quiet --update-shallow origin '+refs/heads/*:refs/heads/*'
test "$(git -C mirror rev-parse refs/heads/main)" = "$wanted"
echo 'with --update-shallow the mirror has it too'
