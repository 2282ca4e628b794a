import { Link } from '@tanstack/react-router';

/** Opens the task over the screen that is open now. */
export function TaskLink({ id }: { id: number }) {
  return (
    <Link
      to="."
      search={(search) => ({ ...search, t: id })}
      resetScroll={false}
      className="numbers"
    >
      #{id}
    </Link>
  );
}
