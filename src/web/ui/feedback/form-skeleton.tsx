import { Bone } from './skeleton.tsx';
import classes from '../forms/form.module.css';

/** The place of a form that is still being loaded. */
export function FormBones({ fields = 3 }: { fields?: number }) {
  return (
    <div className={classes.form} aria-busy="true">
      {Array.from({ length: fields }, (_, index) => (
        <div key={index} className={classes.bones}>
          <Bone width="30%" />
          <Bone width="100%" height={36} />
        </div>
      ))}
    </div>
  );
}
