// The workflow of the demo project: build, check, approval, deploy, and a failure branch.

import { newWorkflow, type NewWorkflow } from '#shared/api/workflows.ts';

interface Steps {
  build: number;
  look: number;
  deploy: number;
  announce: number;
}

export const demoWorkflow = ({ build, look, deploy, announce }: Steps): NewWorkflow =>
  newWorkflow.parse({
    name: '8. Change the timetable',
    description:
      'A workflow: prints a timetable, looks at the server, asks you, and hangs the timetable up. ' +
      'If you reject it, or if it cannot be hung up, a late train is announced instead.',
    graph: {
      nodes: [
        { type: 'template', key: 'build', name: 'Print the timetable', template_id: build },
        { type: 'template', key: 'look', name: 'Look at the server', template_id: look },
        {
          type: 'approval',
          key: 'ask',
          name: 'Ask you',
          question:
            'The timetable is printed and the server is healthy. Deploy the timetable? ' +
            'Reject it to see the other way through the workflow.',
          // A new user is the only member, and approves their own launch.
          roles: ['owner', 'manager'],
        },
        {
          type: 'template',
          key: 'deploy',
          name: 'Hang up the timetable',
          template_id: deploy,
          build_node: 'build',
        },
        {
          type: 'template',
          key: 'announce',
          name: 'Announce a late train',
          template_id: announce,
          params: { environment: JSON.stringify(lateTrain) },
          join: 'any',
        },
      ],
      edges: [
        { from: 'build', to: 'look' },
        { from: 'look', to: 'ask' },
        { from: 'ask', to: 'deploy' },
        { from: 'ask', to: 'announce', when: 'failure' },
        { from: 'deploy', to: 'announce', when: 'failure' },
      ],
    },
  });

// Survey answers.
const lateTrain = { destination: 'Harbour', platform: '4', minutes: 10 };
