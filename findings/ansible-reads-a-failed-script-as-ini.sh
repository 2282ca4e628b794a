#!/bin/sh
# ansible-core 2.16.19 and 2.21.5: an inventory script that fails.
#
# One would guess: an executable that exits with an error is a source that cannot be read. Ansible warns,
# and with ANSIBLE_INVENTORY_UNPARSED_FAILED and ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED it ends.
# Seen: after the plugin for scripts the one for INI reads the text of the script itself. Where its lines
# happen to be valid, as one command without an option is, their words are hosts: a play on `all` runs on a
# host called `deploy-inventory`, which nobody has, ends with 0 and warns of nothing.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
cat >"$folder/bin/deploy-inventory" <<'PROGRAM'
#!/bin/sh
echo 'the database of hosts does not answer' >&2
exit 3
PROGRAM
cat >"$folder/hosts.sh" <<'SCRIPT'
#!/bin/sh
# Lists the hosts.
deploy-inventory
SCRIPT
cat >"$folder/play.yml" <<'PLAY'
- hosts: all
  connection: local
  gather_facts: false
  tasks: [{ debug: { msg: "here I am {{ inventory_hostname }}" } }]
PLAY
chmod +x "$folder/bin/deploy-inventory" "$folder/hosts.sh"
export PATH="$folder/bin:$PATH" ANSIBLE_NOCOLOR=1
export ANSIBLE_INVENTORY_UNPARSED_FAILED=true ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED=true

code=0
"$folder/hosts.sh" 2>/dev/null || code=$?
echo "the script itself exits with $code"
test $code = 3
for version in 2.16.19 2.21.5; do
  "${PYTHON:-python3}" -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet --disable-pip-version-check "ansible-core==$version"
  code=0
  "$folder/$version/bin/ansible-playbook" -i "$folder/hosts.sh" "$folder/play.yml" \
    >"$folder/log" 2>&1 || code=$?
  echo "ansible-core $version exits with $code: $(grep -m 1 -o 'here I am.*' "$folder/log" | tr -d '"')"
  test $code = 0
  grep -q 'here I am deploy-inventory' "$folder/log"
  # It exits with an error only when the plugin for INI is not asked.
  if ANSIBLE_INVENTORY_ENABLED=script "$folder/$version/bin/ansible-playbook" \
    -i "$folder/hosts.sh" "$folder/play.yml" >"$folder/log" 2>&1; then exit 1; fi
done
