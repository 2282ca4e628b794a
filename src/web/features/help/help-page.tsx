import type { MouseEvent } from 'react';
import { t } from '../../lib/i18n.ts';
import { type GuidePage, sections } from './guide.ts';
import { HelpSearch } from './help-search.tsx';
import { HelpText } from './help-text.tsx';
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
