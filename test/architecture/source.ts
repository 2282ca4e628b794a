// Reads the source tree, so that the rules can be pure functions of it.

import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface Import {
  /** A path from the root of the checkout, or the bare name of a package or builtin. */
  target: string;
  isFile: boolean;
  /** Whether it is an `import type`, which the running program does not execute. */
  isTypeOnly: boolean;
  /** Whether it is an `import(…)`, which loads the file only when the program executes it. */
  isLazy: boolean;
}

export interface SourceFile {
  path: string;
  text: string;
  /** The text of the file without comments. */
  code: string;
  imports: Import[];
}

/** Returns one sentence for each place that breaks the rule. */
export type Rule = (files: SourceFile[]) => string[];

const codeEndings = /\.(ts|tsx|js|css)$/;

/** Reads every code file under the given folders; a folder that does not exist is empty. */
export function readSource(root: string, folders: string[]): SourceFile[] {
  return folders
    .flatMap((folder) => list(root, folder))
    .map((path) => sourceFile(path, readFileSync(join(root, path), 'utf8')));
}

function list(root: string, folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .filter((path) => codeEndings.test(path) && !path.includes('/fixtures/'))
      .sort();
  } catch {
    return [];
  }
}

export function sourceFile(path: string, text: string): SourceFile {
  const code = withoutComments(text);
  return { path, text, code, imports: importsOf(path, code) };
}

// A "//" after a colon or inside quotes is part of an address.
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map((line) => line.replace(/(^|[\s;{}(),])\/\/.*$/, '$1'))
    .join('\n');
}

const statement =
  /(?:^|[\s;}])(import|export)\s+(type\s+)?(?:[\w$*{},\s]+?\s+from\s+)?(['"])([^'"\n]+)\3/g;
const call = /\bimport\(\s*(['"])([^'"\n]+)\1/g;

function importsOf(path: string, code: string): Import[] {
  const found: Import[] = [];
  for (const [, , type, , name] of code.matchAll(statement)) {
    const how = { isTypeOnly: type !== undefined, isLazy: false };
    if (name !== undefined) found.push({ ...resolve(path, name), ...how });
  }
  for (const [, , name] of code.matchAll(call)) {
    const how = { isTypeOnly: false, isLazy: true };
    if (name !== undefined) found.push({ ...resolve(path, name), ...how });
  }
  return found;
}

function resolve(path: string, name: string): Pick<Import, 'target' | 'isFile'> {
  if (name.startsWith('#shared/')) {
    return { target: `src/shared/${name.slice('#shared/'.length)}`, isFile: true };
  }
  if (name.startsWith('.')) {
    return { target: posix.join(posix.dirname(path), name), isFile: true };
  }
  return { target: name, isFile: false };
}

function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path) || path.startsWith('test/');
}

/** The files of the product, without tests. */
export function product(files: SourceFile[]): SourceFile[] {
  return files.filter((file) => file.path.startsWith('src/') && !isTest(file.path));
}
