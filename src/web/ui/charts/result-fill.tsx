import type { BarResult } from './bar-shapes.ts';
import classes from './result-fill.module.css';

interface Props {
  result: BarResult;
  className?: string | undefined;
}

/** The sample of a result in the legend of a chart. */
export const ResultFill = ({ result, className = '' }: Props) => (
  <span className={`${classes.fill} ${className}`} data-result={result} />
);
