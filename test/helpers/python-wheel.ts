// A package of Python that a test builds itself, so that no index is asked for anything.

import { execFileSync } from 'node:child_process';

const makeWheel = `
import sys, zipfile
folder, content = sys.argv[1:]
with zipfile.ZipFile(folder + '/greeting-1.0-py3-none-any.whl', 'w') as wheel:
    info = 'greeting-1.0.dist-info/'
    wheel.writestr('greeting.py', content)
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: greeting\\nVersion: 1.0\\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'RECORD', '')
`;

const hello = 'def hello(name): return "hello " + name\n';

/** Puts the wheel of the package `greeting` 1.0 into a folder; `content` is that of its module. */
export function makeGreetingWheel(folder: string, content = hello): void {
  execFileSync('python3', ['-c', makeWheel, folder, content]);
}
