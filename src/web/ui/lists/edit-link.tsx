import { Link } from '@tanstack/react-router';
import classes from './edit-link.module.css';

interface Props {
  id: number;
  /** What of the address names the row, where a screen has several lists. */
  param?: string;
  children: string;
}

/** Opens the dialog that edits a row of the list that is open now. */
export function EditLink({ id, param = 'edit', children }: Props) {
  return (
    <Link
      to="."
      search={(search) => ({ ...search, [param]: id })}
      resetScroll={false}
      className={classes.link}
      title={children}
    >
      {children}
    </Link>
  );
}
