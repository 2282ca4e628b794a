// Which constraint of the database a statement broke, in the same words for both engines.

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

/** The constraint that a statement broke, with the columns that the engine names; null for other errors. */
export function brokenRule(error: unknown): { rule: Rule; detail: string } | null {
  if (!(error instanceof Error)) return null;
  const { code, constraint = '' } = error as { code?: unknown; constraint?: string };
  const rule = typeof code === 'string' ? rules[code] : undefined;
  return rule ? { rule, detail: `${constraint} ${error.message}` } : null;
}

/** Runs a statement, and turns a broken constraint into the refusal that the caller names for it. */
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
