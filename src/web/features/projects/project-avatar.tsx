import classes from './project-avatar.module.css';

const tones = ['red', 'blue', 'orange', 'green', 'violet', 'teal', 'pink', 'slate'];

function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map(first) : Array.from(words[0] ?? name);
  return letters.slice(0, 2).join('').toUpperCase();
}

const first = (word: string): string => Array.from(word)[0] ?? '';

/** Two letters on one of eight colours, which the id determines. */
export function ProjectAvatar({ name, id }: { name: string; id: number }) {
  return (
    <span
      className={`inline-flex center flex-none smaller weight-650 rounded-8 ${classes.avatar}`}
      data-tone={tones[(id - 1) % tones.length]}
      aria-hidden="true"
    >
      {initials(name)}
    </span>
  );
}
