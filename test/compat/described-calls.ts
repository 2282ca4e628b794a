// The calls of the description of the API that clients of 2026 were written for: method and path below
// `/api`, each `{}` an id. The last ones came later.

export const describedCalls = `
GET /ping
GET /ws
GET /info
GET POST /auth/login
POST /auth/logout
GET /auth/oidc/{}/login
GET /auth/oidc/{}/redirect
GET /user
GET POST /user/tokens
DELETE /user/tokens/{}
GET POST /user/options
GET POST /users
GET PUT DELETE /users/{}
POST /users/{}/password
GET POST /projects
POST /projects/restore
GET /events
GET /events/last
GET PUT DELETE /project/{}
GET /project/{}/backup
GET /project/{}/role
GET /project/{}/events
GET POST /project/{}/users
PUT DELETE /project/{}/users/{}
GET POST /project/{}/integrations
GET PUT DELETE /project/{}/integrations/{}
GET POST /project/{}/integrations/{}/values
PUT DELETE /project/{}/integrations/{}/values/{}
GET POST /project/{}/integrations/{}/matchers
PUT DELETE /project/{}/integrations/{}/matchers/{}
GET POST /project/{}/integrations/aliases
DELETE /project/{}/integrations/aliases/{}
GET POST /project/{}/integrations/{}/aliases
DELETE /project/{}/integrations/{}/aliases/{}
GET POST /project/{}/keys
PUT DELETE /project/{}/keys/{}
GET POST /project/{}/repositories
GET PUT DELETE /project/{}/repositories/{}
GET POST /project/{}/inventory
GET PUT DELETE /project/{}/inventory/{}
GET POST /project/{}/environment
GET PUT DELETE /project/{}/environment/{}
GET POST /project/{}/templates
POST /project/{}/templates/{}/stop_all_tasks
GET PUT DELETE /project/{}/templates/{}
POST /project/{}/schedules
GET PUT DELETE /project/{}/schedules/{}
GET POST /project/{}/views
GET PUT DELETE /project/{}/views/{}
GET POST /project/{}/tasks
GET /project/{}/tasks/last
POST /project/{}/tasks/{}/stop
GET DELETE /project/{}/tasks/{}
GET /project/{}/tasks/{}/output
GET /project/{}/tasks/{}/raw_output
GET /apps
POST /project/{}/notifications/test
GET POST /project/{}/runners
GET /project/{}/runner_tags
GET PUT DELETE /project/{}/runners/{}
POST /project/{}/runners/{}/active
POST /project/{}/runners/{}/registration-token
DELETE /project/{}/runners/{}/cache
GET POST /runners
GET /runner_tags
GET PUT DELETE /runners/{}
POST /runners/{}/active
POST /runners/{}/registration-token
DELETE /runners/{}/cache
`;

export const laterCalls = `
GET POST /project/{}/host_configs
GET PUT DELETE /project/{}/host_configs/{}
GET POST /project/{}/workflows
GET PUT DELETE /project/{}/workflows/{}
POST /project/{}/workflows/{}/run
GET /project/{}/workflows/{}/runs
GET /project/{}/workflows/{}/runs/{}
GET /project/{}/workflows/{}/runs/{}/approvals
GET /project/{}/workflows/{}/runs/{}/artifacts
POST /project/{}/workflows/{}/runs/{}/approvals/{}
`;

/** Further calls that clients make without a description. */
export const undescribedCalls = `
POST /auth/verify
POST /auth/recovery
GET POST /options
GET /tasks
GET DELETE /tasks/{}
GET PUT POST DELETE /apps/{}
POST /apps/{}/active
GET /project/{}/roles/all
GET /project/{}/events/last
DELETE /project/{}/me
GET /project/{}/keys/{}
GET /project/{}/keys/{}/refs
GET /project/{}/repositories/{}/refs
GET /project/{}/repositories/{}/branches
GET /project/{}/inventory/{}/refs
GET /project/{}/environment/{}/refs
GET /project/{}/templates/{}/refs
GET /project/{}/templates/{}/tasks
GET /project/{}/templates/{}/tasks/last
GET /project/{}/templates/{}/schedules
GET /project/{}/templates/{}/stats
GET /project/{}/schedules
POST /project/{}/schedules/validate
PUT /project/{}/schedules/{}/active
POST /project/{}/views/positions
GET /project/{}/views/{}/templates
GET /project/{}/tasks/{}/stages
GET /project/{}/tasks/{}/ansible/hosts
GET /project/{}/tasks/{}/ansible/errors
POST /project/{}/tasks/{}/confirm
POST /project/{}/tasks/{}/reject
`;

/** Each call of such a list on its own. */
export const callsIn = (list: string): string[] =>
  list
    .trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split(' ');
      const path = words.at(-1) ?? '';
      return words.slice(0, -1).map((method) => `${method} ${path}`);
    });
