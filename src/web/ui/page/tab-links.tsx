import { Link } from '@tanstack/react-router';

interface Props {
  /** The tabs; the first one is shown if the address names none. */
  tabs: { key: string; title: string }[];
  /** The search parameter of the address that names the tab. */
  param?: string;
}

/** The parts of a page, each with an address; for the `tabs` of a `Page`. */
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
