import { Link } from '@tanstack/react-router';

interface Props {
  /** The first tab is the default. */
  tabs: { key: string; title: string }[];
  /** The search parameter for the tab. */
  param?: string;
}

/** The tabs of a `Page`, each with an address. */
export function TabLinks({ tabs, param = 'tab' }: Props) {
  return tabs.map(({ key, title }, index) => (
    <Link
      key={key}
      to="."
      search={({ t }) => ({ t, [param]: index === 0 ? undefined : key })}
      activeOptions={{ explicitUndefined: true }}
    >
      {title}
    </Link>
  ));
}
