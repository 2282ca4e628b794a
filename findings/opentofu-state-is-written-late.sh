#!/bin/sh
# OpenTofu 1.12.6: when an apply writes its state.
#
# One would guess: the state file has each object as soon as the log says "Creation complete", as it
# has with Terraform 1.11 and the local backend, so that a killed apply loses what it was making at most.
# Seen: the file is written at the end of the apply and every 20 seconds. An apply that is killed
# before leaves a file of 0 bytes, though its log names an object that was made, and the next plan takes
# the empty file for no state and makes that object again.
# Needs Go; builds OpenTofu from its module (`go install` refuses it: its go.mod replaces modules).
set -eu

folder=$(mktemp -d)
trap 'kill -KILL "$(cat "$folder/pid" 2>/dev/null)" 2>/dev/null; chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
unset TF_CLI_CONFIG_FILE
source=$(go mod download -json github.com/opentofu/opentofu@v1.12.6 |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["Dir"])')
cp -r "$source" source
chmod -R u+w source
(cd source && go build -o ../tofu ./cmd/tofu)
./tofu version | head -n 1

mkdir configuration
cat >configuration/main.tf <<'END'
resource "terraform_data" "first" { input = "made" }
resource "terraform_data" "second" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" { command = "exec sleep 15" }
}
END
cd configuration
../tofu init -input=false -no-color >/dev/null
sh -c 'echo $$ >../pid; exec ../tofu apply -input=false -auto-approve -no-color' >../log 2>&1 &
tries=0
until grep -q 'terraform_data.second: Provisioning' ../log || [ $tries -ge 300 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
sleep 2
grep 'terraform_data.first: Creation complete' ../log
test -e terraform.tfstate && ! test -s terraform.tfstate
echo 'two seconds later the state has 0 bytes'
kill -KILL "$(cat ../pid)"
wait || true
! test -s terraform.tfstate
echo 'and after KILL; the next plan:'
../tofu plan -input=false -no-color | grep '^Plan:' | tee plan
grep -q '^Plan: 2 to add' plan
