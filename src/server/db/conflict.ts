// Maps constraint violations of both engines.

import type { AppError } from '../lib/errors.ts';

type Rule = 'unique' | 'foreign-key';

const rules: Record<string, Rule> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign-key',
  SQLITE_CONSTRAINT_TRIGGER: 'foreign-key',
  '23505': 'unique',
  '23503': 'foreign-key',
};

/** Null for other errors. `detail` contains the columns. */
export function brokenRule(error: unknown): { rule: Rule; detail: string } | null {
  if (!(error instanceof Error)) return null;
  const { code, constraint = '' } = error as { code?: unknown; constraint?: string };
  const rule = typeof code === 'string' ? rules[code] : undefined;
  return rule ? { rule, detail: `${constraint} ${error.message}` } : null;
}

/** Converts a constraint violation into the caller's refusal. */
export async function refusing<T>(
  statement: Promise<T>,
  refusals: Partial<Record<Rule, (detail: string) => AppError | Promise<AppError>>>,
): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    const broken = brokenRule(error);
    const refusal = broken && refusals[broken.rule];
    throw refusal ? await refusal(broken.detail) : error;
  }
}
