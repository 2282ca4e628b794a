import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { SearchBox } from '../../ui/lists/search-box.tsx';
import type { GuideMatch } from './find.ts';
import classes from './help.module.css';

interface Props {
  query: string;
  onSearch: (query: string) => void;
}

export function HelpSearch({ query, onSearch }: Props) {
  const found = useFound(query);
  return (
    <search style={{ marginBottom: 12 }}>
      <SearchBox label={t('help.search')} value={query} onSearch={onSearch} />
      <output className="block soft">{found?.length === 0 && t('help.nothing')}</output>
      {found && found.length > 0 && (
        <ul className="pt-8" aria-label={t('help.found')}>
          {found.map((one) => (
            <li key={`${one.page}#${one.id}`}>
              <FoundLink {...one} />
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

function FoundLink({ page, id, title, heading, excerpt }: GuideMatch) {
  return (
    <a
      className={`block color-text break rounded-6 selectable no-underline ${classes.entry}`}
      href={`/help/${page}${id === '' ? '' : `#${id}`}`}
    >
      <strong>{heading === '' ? title : `${title} › ${heading}`}</strong>
      <span className="block small soft">{excerpt}</span>
    </a>
  );
}

/** The matches in the guide; undefined without a query and while the texts are loaded. */
const useFound = (query: string): GuideMatch[] | undefined =>
  useQuery({
    queryKey: ['help', query],
    queryFn: async () => (await import('./find.ts')).find(query),
    enabled: query !== '',
    staleTime: Infinity,
  }).data;
