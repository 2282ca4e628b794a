import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { WaitingTask } from '#shared/api/overview.ts';
import type { WaitingApproval } from '#shared/api/workflow-runs.ts';
import { t } from '../../../lib/i18n.ts';
import { ApprovalFacts } from '../../../resources/decision-facts.tsx';
import { ProjectLink } from '../../../resources/links.tsx';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { DecisionCard } from '../../../ui/page/decision-card.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { LinkedConfirmation } from '../confirmation/linked-confirmation.tsx';
import { decideFromHome } from './overview.queries.ts';
import classes from './overview.module.css';

interface Props {
  tasks: WaitingTask[];
  approvals: WaitingApproval[];
  /** Whether all are of one project, which the cards need not name. */
  ofProject?: boolean;
}

// The list has only tasks that the user may decide.
const mayDecide = () => true;

/** The tasks and approvals that the user may decide, with what they will do and the buttons. */
export function WaitingList({ tasks, approvals, ofProject = false }: Props) {
  const projectOf = ({
    project_id: projectId,
    project_name: name,
  }: WaitingTask | WaitingApproval) =>
    !ofProject && <ProjectLink projectId={projectId} name={name} />;
  return (
    <Section title={t('overview.waits')}>
      <ul className={`grid gap-12 ${classes.waiting}`}>
        {tasks.map((task) => (
          <li key={task.id}>
            <LinkedConfirmation
              task={task}
              template={task.template_name}
              subtitle={projectOf(task)}
              may={mayDecide}
            />
          </li>
        ))}
        {approvals.map((approval) => (
          <li key={`${approval.run_id} ${approval.node}`}>
            <Approval approval={approval} project={projectOf(approval)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Approval({ approval, project }: { approval: WaitingApproval; project: ReactNode }) {
  const [comment, setComment] = useState('');
  const decide = useMutation({ ...decideFromHome(), onError: toastFailure });
  const { project_id: projectId, run_id: runId, node, name, node_name: nodeName } = approval;
  const address = {
    to: '/project/$projectId/workflow_runs/$runId',
    params: { projectId, runId },
  } as const;
  const send = (approve: boolean) =>
    decide.mutate({
      params: { project_id: projectId, run_id: runId, node },
      body: { approve, comment, answers: null, secret: null },
    });
  const button = (words: string, approve: boolean) => ({
    words,
    isSent: decide.isPending,
    onClick: () => send(approve),
  });
  return (
    <DecisionCard
      title={
        <Link {...address}>
          {name}: {nodeName}
        </Link>
      }
      subtitle={project}
      subject={nodeName}
      summary={approval.question && <span className="pre-wrap">{approval.question}</span>}
      refused={null}
      approve={
        approval.has_fields
          ? {
              link: (
                <Button renderRoot={(props) => <Link {...address} {...props} />}>
                  {t('overview.answer')}
                </Button>
              ),
            }
          : button(t('workflow.approval.approve'), true)
      }
      reject={button(t('task.reject'), false)}
      facts={<ApprovalFacts projectId={projectId} run={approval} {...approval} />}
    >
      <TextInput
        label={t('workflow.approval.comment')}
        maxLength={1000}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </DecisionCard>
  );
}
