// Errors of alert deliveries.

import { type CodeOf, defineCatalogue } from './catalogue.ts';

export const alertErrors = defineCatalogue({
  refused_address:
    'The address leads into a network that alerts may not reach. An administrator can allow it with SIGNALBOX_ALERT_ADDRESSES.',
  unresolved: 'There is no server of this name.',
  connection: 'The server cannot be reached.',
  proxy: 'The proxy of the server refused the connection, or cannot be reached.',
  tls: 'The certificate of the server, or how it encrypts, is not accepted.',
  timeout: 'The server did not answer in time.',
  redirect: 'The server answered with another address. Redirects are not followed.',
  status: 'The server refused the message.',
  mail_login: 'The mail server refused the login of Signalbox.',
  mail_refused: 'The mail server refused the message.',
  mail_some_refused: 'The mail server refused some of the addresses.',
  incomplete: 'The channel has no address or token yet. Give it what it needs.',
  no_token:
    'The repository has no token for commit statuses, or its address names no repository at a host.',
  not_set_up: 'An administrator has not set up what this needs.',
  recipient_gone: 'The recipient was removed or switched off meanwhile.',
  internal: 'Something went wrong on the server. It has been logged.',
});
export type AlertError = CodeOf<typeof alertErrors>;
