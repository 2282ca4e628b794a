// Refusals about access to single objects: a part of the catalogue of errors.

export const grantErrors = {
  'grant.beyond': [
    403,
    'Your role "{{role}}" on "{{object}}" has limits, and this goes beyond them: {{allowed}}.',
  ],
  'task.confirm_by_other': [
    403,
    'You have started this task under a role that asks for a second person. Another person has to confirm it.',
  ],
  'grant.not_found': [404, 'This grant does not exist. It may have been taken away already.'],
  'grant.object_missing': [
    404,
    'This object does not exist in this project, or you have no access to it.',
  ],
  'permission.restricted': [
    403,
    'A backup has everything, but parts of this project are restricted and you have no access to them. Ask an owner of the project.',
  ],
  'alert.restricted': [
    403,
    'These alerts are also about things to which you have no access. Limit the channel to templates and workflows that you see, or ask an owner of the project.',
  ],
} as const satisfies Record<string, readonly [status: number, text: string]>;
