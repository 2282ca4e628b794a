// Asks the Ansible of this machine, in its own language, what it makes of limits and inventories.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The interpreter that runs Ansible. */
function ansiblePython(): string {
  const path = execFileSync('sh', ['-c', 'command -v ansible-playbook'], { encoding: 'utf8' });
  const [first = ''] = readFileSync(path.trim(), 'utf8').split('\n');
  return first.replace(/^#!\s*/, '').trim();
}

/** Runs a program that reads JSON from its input as `given`, and returns what it sets `found` to. */
export function askAnsible(given: unknown, program: string): unknown {
  const whole = `import json, sys\ngiven = json.load(sys.stdin)\n${program}\nprint(json.dumps(found))\n`;
  const options = { input: JSON.stringify(given), encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  const answer = execFileSync(ansiblePython(), ['-c', whole], { ...options, stdio: 'pipe' });
  return JSON.parse(answer) as unknown;
}
