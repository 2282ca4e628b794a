// Refusals of any request.

export const requestErrors = {
  'request.invalid': [400, 'Some fields are not valid. Correct them and try again.'],
  'request.malformed_json': [400, 'The body is not valid JSON: {{reason}}'],
  'request.malformed_url': [400, 'The address is not valid. Check the percent signs in it.'],
  'request.cross_site': [403, 'This request came from another site and was refused.'],
  'request.unknown_host': [
    421,
    'This server does not accept the host name {{host}}. Use its own address, or ask an administrator to add the name to SIGNALBOX_ALLOWED_HOSTS.',
  ],
  'request.not_found': [404, 'There is nothing at {{method}} {{path}}.'],
  'request.method_not_allowed': [405, '{{path}} does not accept {{method}}.'],
  'request.body_missing': [400, 'Send a JSON object with what to save or do as the body.'],
  'request.too_many_values': [
    400,
    'The JSON of the body has more than {{limit}} values. Send less at once.',
  ],
  'request.too_deep': [400, 'The JSON of the body is nested deeper than {{limit}} levels.'],
  'request.too_large': [413, 'The body is larger than {{limit}} bytes. Send less at once.'],
  'request.unsupported_media_type': [
    415,
    'Send the body as JSON with the header "Content-Type: application/json".',
  ],
  'request.incomplete': [
    408,
    'The request did not arrive within {{seconds}} seconds. Send less at once.',
  ],
  'request.headers_too_large': [431, 'The headers are too large. Delete the cookies of this site.'],
  'request.not_http': [400, 'This is not an HTTP/1.1 request.'],
  'request.no_upgrade': [
    426,
    'This address is for websockets. A proxy has to forward the headers Upgrade and Connection.',
  ],
  'request.rate_limited': [429, 'Too many attempts. Try again in {{seconds}} seconds.'],
  'request.too_slow': [
    422,
    'This took longer than {{seconds}} seconds and was stopped. Try again, or ask for less.',
  ],
  'request.too_many_looks': [
    429,
    'Too many requests inspect repositories or inventories of this project. Try again soon.',
  ],
  'request.stale': [409, 'Someone else saved this meanwhile. Reload it and change it again.'],
  'request.internal': [500, 'Something went wrong on the server. Its log has the details.'],
  'request.unavailable': [503, 'The server is shutting down. Try again in a moment.'],
} as const satisfies Record<string, readonly [status: number, text: string]>;
