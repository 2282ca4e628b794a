import type { CSSProperties } from 'react';
import classes from './result-fill.module.css';

/** What a run became, as a chart draws it. */
export type BarResult = 'success' | 'error' | 'stopped' | 'running';

interface Props {
  result: BarResult;
  className?: string | undefined;
  style?: CSSProperties;
}

/** A part of a bar, or its sample in a legend. */
export const ResultFill = ({ result, className = '', style }: Props) => (
  <span className={`${classes.fill} ${className}`} data-result={result} style={style} />
);
