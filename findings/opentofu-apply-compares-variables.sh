#!/bin/sh
# OpenTofu 1.12.6: variables of the environment beside a saved plan.
#
# One would guess: `apply FILE` does what the plan says, whose variables are fixed, and ignores TF_VAR_…
# and *.auto.tfvars, as Terraform 1.11 does (with a warning at most).
# Seen: a plan that was made with `-var` and an environment with another value of TF_VAR_… (which `-var`
# rightly beats at plan) ends at apply with "Mismatch between input and plan variable value", exit code 1.
# The same `-var` given to apply beside the plan makes it pass.
# Needs Go; builds OpenTofu from its module (`go install` refuses it: its go.mod replaces modules).
set -eu

folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
unset TF_CLI_CONFIG_FILE
source=$(go mod download -json github.com/opentofu/opentofu@v1.12.6 |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["Dir"])')
cp -r "$source" source
chmod -R u+w source
(cd source && go build -o ../tofu ./cmd/tofu)
./tofu version | head -n 1

mkdir configuration
cd configuration
cat >main.tf <<'END'
variable "size" { default = "small" }
resource "terraform_data" "it" { input = var.size }
END
export TF_VAR_size=large
../tofu init -no-color >/dev/null
../tofu plan -no-color -out=saved -var size=huge | grep 'input'
code=0
../tofu apply -no-color saved >said 2>&1 || code=$?
grep 'Error:' said
echo "apply of the saved plan: exit code $code"
test "$code" = 1
grep -q 'Mismatch between input and plan variable value' said
../tofu apply -no-color -var size=huge saved | grep 'Apply complete'
