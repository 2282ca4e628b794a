import type { Params } from '#shared/catalogue/catalogue.ts';
import type { Cause, DecisionCode } from '#shared/workflows/decisions.ts';
import type { Db } from '../../../db/open.ts';
import { fromPlain, toPlain } from '../../../db/plain-row.ts';
import type { NewRow, Row } from '../../../db/tables.ts';

const columns = { params: 'json', because: 'json' } as const;

export interface NewDecision {
  code: DecisionCode;
  params: Params;
  because?: Cause[];
}

interface DecisionJson {
  params: Params;
  because: Cause[];
}

export async function insertDecision(
  db: Db,
  run_id: number,
  { because = [], ...decision }: NewDecision & { time: string },
): Promise<void> {
  const row = fromPlain(columns, { run_id, ...decision, because });
  await db
    .insertInto('workflow_decisions')
    .values(row as NewRow<'workflow_decisions'>)
    .execute();
}

export async function listDecisions(db: Db, runId: number) {
  const rows = await db
    .selectFrom('workflow_decisions')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('id')
    .execute();
  return rows.map((row) => toPlain<Row<'workflow_decisions'>, DecisionJson>(columns, row));
}
