declare module 'cronstrue/locales/*.js';
