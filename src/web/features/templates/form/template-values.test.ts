import { expect, test } from 'vitest';
import { newTemplate } from '#shared/api/templates.ts';
import { newValues, templateBody } from './template-values.ts';

const filled = { ...newValues, name: 'Deploy', playbook: 'site.yml', repository_id: 1 };

test('the first values of the form are those that the server gives a new template', () => {
  const { name, repository_id, playbook } = filled;
  const least = newTemplate.parse({ name, repository_id, playbook, inventory_id: null });
  expect(newTemplate.parse(templateBody(filled))).toMatchObject({
    ...least,
    // An empty text of the form means none.
    git_branch: expect.toBeOneOf(['', null]),
    arguments: expect.toBeOneOf(['', null]),
  });
});

test.each([
  ['ansible', { limit: 'web', retry_failed_hosts: true, install_requirements: 'never' }],
  ['bash', { limit: '', retry_failed_hosts: false, install_requirements: 'when_changed' }],
])('of a template of %s only the settings of its app are sent', (app, sent) => {
  const values = { ...filled, app, limit: 'web', retry_failed_hosts: true };
  expect(templateBody({ ...values, install_requirements: 'never' })).toMatchObject(sent);
});

test('an empty number is sent as none', () => {
  expect(templateBody({ ...filled, retries: '', timeout_s: '90' })).toMatchObject({
    retries: null,
    timeout_s: 90,
    retry_delay_s: 10,
  });
});
