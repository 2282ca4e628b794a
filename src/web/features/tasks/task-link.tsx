import { Link } from '@tanstack/react-router';

/** Opens the task over the screen that is open now. */
export function TaskLink({ id, words = `#${id}` }: { id: number; words?: string }) {
  return (
    <Link
      to="."
      search={(search) => ({ ...search, t: id, line: undefined })}
      resetScroll={false}
      className="numbers"
    >
      {words}
    </Link>
  );
}
