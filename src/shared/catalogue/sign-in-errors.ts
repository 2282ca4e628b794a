// Refusals about sessions, second factors and sign-in providers: a part of the catalogue of errors.

export const signInErrors = {
  'session.slowed': [
    429,
    'Too many failed attempts. Wait {{seconds}} seconds before the next one, or use a browser that has signed in here before. If you forgot your password, ask an administrator to set a new one.',
  ],
  'session.required': [401, 'Sign in first.'],
  'session.bad_credentials': [401, 'Incorrect login or password'],
  'session.code_required': [401, 'Enter the code of your second factor as well.'],
  'session.verification_required': [401, 'Enter the code of your second factor first.'],
  'session.wrong_code': [
    401,
    'This code is wrong, or was used already. Enter the one that the app shows now.',
  ],
  'session.second_factor_setup': [403, 'This server requires a second factor. Set yours up first.'],
  'second_factor.active': [409, 'You have a second factor already. Remove it first.'],
  'second_factor.not_active': [409, 'No second factor is set up.'],
  'second_factor.not_started': [409, 'Start to set up the second factor first.'],
  'second_factor.elsewhere': [
    409,
    'You sign in with an external provider. Set up a second factor there.',
  ],
  'second_factor.own': [
    403,
    'Remove your own second factor in your account, where you confirm it with your password.',
  ],

  'session.directory_unreachable': [
    503,
    'Cannot reach the directory that checks your password. Try again in a moment.',
  ],
  'session.directory_search': [
    503,
    'The directory that checks your password refuses searches. Tell an administrator: Administration → Sign-in shows the reason.',
  ],

  'identity.unknown_provider': [404, 'This sign-in provider does not exist. Choose another one.'],
  'identity.unreachable': [
    503,
    'Cannot reach the sign-in provider. Try again in a moment, or tell an administrator.',
  ],
  'identity.state': [
    400,
    'This sign-in has expired, was used before, or began in another browser. Sign in again.',
  ],
  'identity.denied': [
    403,
    'The sign-in provider denied access. Try again, or ask an administrator.',
  ],
  'identity.invalid_answer': [
    401,
    'Cannot verify the response of the sign-in provider. Try again, and tell an administrator if the problem persists.',
  ],
  'identity.email_missing': [
    403,
    'The sign-in provider sent no email address. Ask an administrator to have it sent, or to allow accounts without one.',
  ],
  'identity.email_taken': [
    403,
    'An account with your email address exists, and may not be linked automatically. Ask an administrator.',
  ],
  'identity.no_account': [403, 'There is no account for you here. Ask an administrator for one.'],
} as const satisfies Record<string, readonly [status: number, text: string]>;
