// The regular expressions of a source file: literals, and those made of constant text.

import { parseSync } from 'vite';
import type { Pattern } from './attacks.ts';

interface Found {
  patterns: (Pattern & { line: number })[];
  /** The lines of expressions that are made of other texts, which cannot be judged beforehand. */
  made: number[];
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export function findPatterns(path: string, code: string): Found {
  const { program, errors } = parseSync(path, code);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const found: Found = { patterns: [], made: [] };
  const lineOf = ({ start }: Node): number => code.slice(0, start).split('\n').length;
  const visit = (node: Node): void => {
    const literal = node['regex'] as { pattern: string; flags: string } | undefined;
    if (literal) {
      found.patterns.push({ source: literal.pattern, flags: literal.flags, line: lineOf(node) });
    }
    if (isRegExp(node)) {
      const [source, flags] = (node['arguments'] as Node[]).map(constantOf);
      if (typeof source === 'string' && flags !== null) {
        found.patterns.push({ source, flags: flags ?? '', line: lineOf(node) });
      } else found.made.push(lineOf(node));
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  };
  visit(program as unknown as Node);
  return found;
}

const isRegExp = ({ type, callee }: Node): boolean =>
  (type === 'NewExpression' || type === 'CallExpression') &&
  isNode(callee) &&
  callee['name'] === 'RegExp';

/** The text of a constant; null if the node is not one. */
function constantOf(node: Node): string | null {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  const [only, ...others] = (node['quasis'] ?? []) as { value: { cooked: string } }[];
  return node.type === 'TemplateLiteral' && only && others.length === 0 ? only.value.cooked : null;
}
