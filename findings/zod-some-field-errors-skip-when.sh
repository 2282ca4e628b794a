#!/bin/sh
# zod 4.6.7: a check of a whole object with `when: () => true`, which runs "always".
#
# One would guess: it runs whatever is wrong with a field, or, as without `when`, only when no field is
# wrong. Seen: that depends on the kind of error. It runs beside a field of the wrong type, a text that is
# too short and a number that is too small, but not beside a number that is no integer, or a list that is
# too long: those errors end the checks of the object as well. So a form tells its other errors with "abc"
# in a number field, and hides them with 1.5.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund zod@4.6.7 >/dev/null

cat >see.mjs <<'EOF'
import { z } from 'zod';

function see(name, field, value) {
  let ran = 0;
  const check = z.object({ field }).superRefine(() => void (ran += 1), { when: () => true });
  const [issue] = check.safeParse({ field: value }).error.issues;
  console.log(`${name}: ${issue.code}, the check of the object ran ${ran} times`);
  return ran;
}

const seen = [
  see('a text for a number', z.number().int(), 'abc'),
  see('a number that is too small', z.number().int().min(3), 1),
  see('a text that is too short', z.string().min(3), 'x'),
  see('a number that is no integer', z.number().int(), 1.5),
  see('a list that is too long', z.array(z.string()).max(1), ['a', 'b']),
];
process.exitCode = seen.join() === '1,1,1,0,0' ? 0 : 1;
EOF

node see.mjs
