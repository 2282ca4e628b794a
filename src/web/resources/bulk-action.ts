import type { ReactNode } from 'react';
import type { BulkResult } from '#shared/api/bulk.ts';

/** What the question before an action also asks for, such as a view or a branch. */
export type BulkValue = number | string | null;

export interface BulkAction<Row = unknown> {
  key: string;
  /** Whether a row can be acted on; by default each. */
  appliesTo?: (row: Row) => boolean;
  /** The button, the title of the question and its answer: "Run 12 templates". */
  label: (count: number) => string;
  icon: ReactNode;
  isDangerous?: boolean;
  /** The consequences that the label does not say. */
  text?: string;
  /** Whether the field must not stay empty. */
  needsValue?: boolean;
  renderField?: (value: BulkValue, onChange: (value: BulkValue) => void) => ReactNode;
  call: (ids: number[], value: BulkValue) => Promise<BulkResult[]>;
}

export interface BulkFailure {
  name: string;
  result: BulkResult;
}
