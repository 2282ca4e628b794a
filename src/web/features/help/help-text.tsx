import { IconCopy } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { copy } from '../../ui/buttons/copy.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import type { GuidePage, GuidePart } from './guide.ts';
import classes from './help.module.css';

/** The text of a page. The build renders its HTML from our own documents. */
export function HelpText({ page }: { page: GuidePage }) {
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
