// Formats an alert for each type of receiver, and escapes names.

import type { AlertType } from '#shared/alerts.ts';
import type { Alert } from '#shared/api/alert-deliveries.ts';
import { factsOf, linkedOf, linkOf, moodOf, titleOf, type Mood } from './alert.ts';

export interface Outgoing {
  alert: Alert;
  /** An idempotency key, the same for each attempt. */
  id: string;
  publicUrl: string | null;
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

/** The markup characters of Slack and Telegram. */
const escapeMarks = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => escapes[sign] ?? sign);

/** Names must not become links, images or mentions. */
export const escapeMarkdown = (text: string): string =>
  escapeMarks(text).replaceAll('](', ']\u200b(').replaceAll('@', '@\u200b');

const lines = ({ alert, publicUrl }: Outgoing): string[] => {
  const link = linkOf(alert, publicUrl);
  const facts = factsOf(alert).map(({ name, value }) => `${name}: ${value}`);
  return [...facts, ...(link ? [`${linkedOf(alert) === 'run' ? 'Run' : 'Log'}: ${link}`] : [])];
};

const openWords = (alert: Alert): string => `Open the ${linkedOf(alert)}`;

export function mailOf(outgoing: Outgoing) {
  const { alert, publicUrl } = outgoing;
  const title = titleOf(alert);
  const link = linkOf(alert, publicUrl);
  const rows = factsOf(alert).map(
    ({ name, value }) => `<tr><th align="left">${name}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const button = link ? `<p><a href="${escapeHtml(link)}">${openWords(alert)}</a></p>` : '';
  return {
    subject: title,
    text: `${[title, '', ...lines(outgoing)].join('\n')}\n`,
    html: `<!doctype html><html><body><h3>${escapeHtml(title)}</h3><table cellpadding="4">${rows.join('')}</table>${button}</body></html>`,
  };
}

type Body = Record<string, unknown>;

const colors: Record<Mood, string> = { good: '#2e9e5b', bad: '#d64545', neutral: '#d9a400' };
const cardColors: Record<Mood, string> = { good: 'Good', bad: 'Attention', neutral: 'Warning' };

/** The format of Slack, which other services accept too. */
function attachment(outgoing: Outgoing, escape: (text: string) => string): Body {
  const { alert, publicUrl } = outgoing;
  const link = linkOf(alert, publicUrl);
  const text = factsOf(alert)
    .map(({ name, value }) => `${name}: ${escape(value)}`)
    .join('\n');
  const title = escape(titleOf(alert));
  return {
    text: title,
    attachments: [
      {
        color: colors[moodOf(alert)],
        fallback: title,
        text,
        ...(link && { title: openWords(alert), title_link: link }),
      },
    ],
  };
}

/** An adaptive card for Teams; its text runs have no Markdown. */
function card(outgoing: Outgoing): Body {
  const { alert, publicUrl } = outgoing;
  const link = linkOf(alert, publicUrl);
  const block = (text: string, style: Body = {}): Body => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...style }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(titleOf(alert), { weight: 'Bolder', color: cardColors[moodOf(alert)] }),
      ...factsOf(alert).map(({ name, value }) => block(`${name}: ${value}`)),
    ],
    actions: link ? [{ type: 'Action.OpenUrl', title: openWords(alert), url: link }] : [],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}

function telegram(outgoing: Outgoing): Body {
  const [title, ...rest] = [titleOf(outgoing.alert), ...lines(outgoing)].map(escapeMarks);
  return {
    text: [`<b>${title}</b>`, ...rest].join('\n'),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  };
}

function ntfy(outgoing: Outgoing): Body {
  const { alert, publicUrl } = outgoing;
  const link = linkOf(alert, publicUrl);
  return {
    title: titleOf(alert),
    message: lines(outgoing).join('\n'),
    priority: moodOf(alert) === 'bad' ? 4 : 3,
    ...(link && { click: link }),
  };
}

function gotify(outgoing: Outgoing): Body {
  const { alert } = outgoing;
  return {
    title: titleOf(alert),
    message: lines(outgoing).join('\n'),
    priority: moodOf(alert) === 'bad' ? 8 : 5,
  };
}

function webhook({ alert, id, publicUrl }: Outgoing): Body {
  return { id, ...alert, title: titleOf(alert), link: linkOf(alert, publicUrl) };
}

export const bodyOf: Record<Exclude<AlertType, 'email'>, (outgoing: Outgoing) => Body> = {
  telegram,
  slack: (outgoing) => attachment(outgoing, escapeMarks),
  mattermost: (outgoing) => attachment(outgoing, escapeMarkdown),
  teams: card,
  gotify,
  ntfy,
  webhook,
};
