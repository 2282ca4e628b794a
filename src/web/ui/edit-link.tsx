import { Link } from '@tanstack/react-router';
import classes from './edit-link.module.css';

/** Opens the dialog that edits a row of the list that is open now. */
export function EditLink({ id, children }: { id: number; children: string }) {
  return (
    <Link
      to="."
      search={(search) => ({ ...search, edit: id })}
      resetScroll={false}
      className={classes.link}
      title={children}
    >
      {children}
    </Link>
  );
}
