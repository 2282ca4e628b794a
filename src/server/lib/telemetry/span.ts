// A span of a trace: a part of some work, with its begin and end.

export interface Span {
  name: string;
  /** 32 hexadecimal digits, the same for all spans of a trace. */
  traceId: string;
  /** 16 hexadecimal digits. */
  id: string;
  /** The span of which this one is a part; null: of none. */
  parentId: string | null;
  begin: Date;
  end: Date;
  attributes: Record<string, string | number | boolean>;
  isError: boolean;
}
