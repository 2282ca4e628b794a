// Settings of alerts: the senders, and the addresses that may be reached.

import { isHostOrNetwork } from '../lib/address-rule.ts';
import { isMailServer, isWebAddress, type Settings } from './setting-values.ts';

export const alertSettings = {
  SIGNALBOX_SMTP_URL: {
    holds: 'an address such as smtp://login:password@mail.example.com:587, or smtps://',
    about: 'Mail server through which alerts are sent; absent: no e-mail is sent',
    secret: true,
    accepts: isMailServer,
  },
  SIGNALBOX_SMTP_FROM: {
    initial: 'Signalbox <signalbox@localhost>',
    holds: 'an e-mail address, or a name with one in angle brackets',
    about: 'Sender of the e-mails',
    accepts: (value: string) =>
      /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value),
  },
  SIGNALBOX_TELEGRAM_TOKEN: {
    holds: 'the token of a bot, for example 123456:ABC-DEF',
    about: 'Telegram bot that writes to the alert chat of projects; absent: none does',
    secret: true,
    accepts: (value: string) => /^\d{1,20}:[\w-]{1,200}$/.test(value),
  },
  SIGNALBOX_TELEGRAM_API: {
    initial: 'https://api.telegram.org',
    holds: 'an http or https address',
    about: 'Address of the Bot API of Telegram; another one where a server of your own speaks it',
    accepts: isWebAddress,
  },
  SIGNALBOX_ALERT_ADDRESSES: {
    holds: 'hosts, addresses or networks, separated by commas',
    about:
      'What alerts may reach beside the public internet, for example chat.example.internal,10.1.0.0/16',
    accepts: (value: string) => value.split(',').every((one) => isHostOrNetwork(one.trim())),
  },
} satisfies Settings;
