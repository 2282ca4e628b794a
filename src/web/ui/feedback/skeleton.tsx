import classes from './skeleton.module.css';

/** The place of a text that is still being loaded. */
export function Bone({ width = '60%', height = 12 }: { width?: number | string; height?: number }) {
  return <span className={classes.bone} style={{ width, height }} aria-hidden="true" />;
}
