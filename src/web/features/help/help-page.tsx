import type { MouseEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { IconCopy } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { SearchBox } from '../../ui/lists/search-box.tsx';
import { copy } from '../../ui/buttons/copy.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { type GuidePage, type GuidePart, sections } from './guide.ts';
import type { GuideMatch } from './find.ts';
import classes from './help.module.css';

interface Props {
  /** The open page; null for the table of contents. */
  page: GuidePage | null;
  query: string;
  onSearch: (query: string) => void;
  /** Opens a page without reloading the console. */
  onOpen: (address: string) => void;
}

export function HelpPage({ page, query, onSearch, onOpen }: Props) {
  const title = page ? page.title : t('help.title');
  return (
    // One listener follows all links, because they are in prebuilt HTML.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- links are clicked by keyboard too
    <div className={`grid ${classes.body}`} onClick={(event) => follow(event, onOpen)}>
      <title>{`${title} · Signalbox`}</title>
      <div className={classes.side}>
        <HelpSearch query={query} onSearch={onSearch} />
        <PageList page={page} />
      </div>
      <main className="min-w-0" style={{ gridColumn: 2 }} lang="en">
        {page ? <HelpText key={page.page} page={page} /> : <Contents />}
      </main>
      {page && <Headings page={page} />}
    </div>
  );
}

function follow(event: MouseEvent<HTMLElement>, onOpen: (address: string) => void): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  const address = link?.getAttribute('href') ?? '';
  if (!isPlain || event.defaultPrevented || !/^\/help(?:[/#]|$)/.test(address)) return;
  event.preventDefault();
  onOpen(address);
}

function PageList({ page }: { page: GuidePage | null }) {
  const name = page?.page;
  const list = (
    <nav aria-label={t('help.pages')} lang="en">
      {sections.map(({ title, pages }) => (
        <div key={title} style={{ marginTop: 18 }}>
          <h2 className="small weight-600 soft pb-4">{title}</h2>
          <ul>
            {pages.map((one) => (
              <li key={one.page}>
                <a
                  className={`block color-text rounded-6 selectable no-underline ${classes.entry}`}
                  href={`/help/${one.page}`}
                  aria-current={one.page === name ? 'page' : undefined}
                >
                  {one.title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
  return (
    <>
      <div className={classes.wideList}>{list}</div>
      <details key={name} className={classes.narrowList}>
        <summary className="border-strong rounded-6" style={{ padding: 8 }}>
          {t('help.pages')}
        </summary>
        {list}
      </details>
    </>
  );
}

function Headings({ page }: { page: GuidePage }) {
  const shown = page.headings.filter(({ depth }) => depth <= 3);
  if (shown.length < 2) return null;
  return (
    <nav className={`text-14 ${classes.side}`} aria-labelledby="help-on-page">
      <h2 className="small weight-600 soft pb-4" id="help-on-page">
        {t('help.on_page')}
      </h2>
      <ul lang="en">
        {shown.map(({ id, text, depth }) => (
          <li key={id}>
            <a
              className={`block color-text rounded-6 selectable no-underline ${classes.entry}`}
              style={{ paddingLeft: depth > 2 ? 22 : 8 }}
              href={`/help/${page.page}#${id}`}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Contents() {
  return (
    <article className={classes.text}>
      <h1 lang={document.documentElement.lang}>{t('help.title')}</h1>
      {sections.map(({ title, pages }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {pages.map(({ page, title: name, about }) => (
              <li key={page}>
                <a href={`/help/${page}`}>{name}</a>
                {': '}
                {about}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </article>
  );
}

interface HelpSearchProps {
  query: string;
  onSearch: (query: string) => void;
}

function HelpSearch({ query, onSearch }: HelpSearchProps) {
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

/** The text of a page. The build renders its HTML from our own documents. */
function HelpText({ page }: { page: GuidePage }) {
  return (
    <article className={classes.text}>
      <h1>{page.title}</h1>
      {page.parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts never change their places
        <Part key={index} part={part} />
      ))}
    </article>
  );
}

function Part({ part }: { part: GuidePart }) {
  if ('html' in part) {
    // oxlint-disable-next-line react/no-danger -- made from our own documents
    return <div dangerouslySetInnerHTML={{ __html: part.html }} />;
  }
  return (
    <div className={`relative ${classes.code}`}>
      <pre>
        <code>{part.code}</code>
      </pre>
      <IconButton
        label={t('common.copy')}
        icon={<IconCopy size={16} />}
        onClick={() => void copy(part.code, t('help.copied'))}
      />
    </div>
  );
}
