import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconHandStop } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OverviewTask } from '#shared/api/overview.ts';
import type { WaitingApproval } from '#shared/api/workflow-runs.ts';
import { t } from '../../../lib/i18n.ts';
import { TimeAgo } from '../../../lib/time-text.tsx';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { LaunchedBy } from '../../../ui/page/launched-by.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { confirmFromHome, decideFromHome, rejectFromHome } from './overview.queries.ts';
import classes from './overview.module.css';

interface Props {
  tasks: OverviewTask[];
  approvals: WaitingApproval[];
}

/** The tasks and approvals that the user may decide, with the buttons in place. */
export function WaitingList({ tasks, approvals }: Props) {
  return (
    <Section title={t('overview.waits')}>
      <ul className="column gap-8">
        {tasks.map((task) => (
          <WaitingTask key={task.id} task={task} />
        ))}
        {approvals.map((approval) => (
          <Approval key={`${approval.run_id} ${approval.node}`} approval={approval} />
        ))}
      </ul>
    </Section>
  );
}

function WaitingTask({ task }: { task: OverviewTask }) {
  const confirm = useMutation({ ...confirmFromHome(), onError: toastFailure });
  const reject = useMutation({ ...rejectFromHome(), onError: toastFailure });
  const { id, project_id: projectId } = task;
  const params = { project_id: projectId, task_id: id };
  const name = `#${id} ${task.template_name}`;
  return (
    <Waiting
      link={
        <Link to="/project/$projectId/tasks/$taskId" params={{ projectId, taskId: id }}>
          <span className="numbers">#{id}</span> {task.template_name}
        </Link>
      }
      text={task.message}
      project={{ id: projectId, name: task.project_name }}
      by={<LaunchedBy projectId={projectId} user={task.user_name} launcher={task.launcher} />}
      since={task.created}
    >
      <Button
        size="compact-sm"
        loading={confirm.isPending}
        aria-label={`${t('task.confirm')} ${name}`}
        onClick={() => confirm.mutate({ params })}
      >
        {t('task.confirm')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        loading={reject.isPending}
        aria-label={`${t('task.reject')} ${name}`}
        onClick={() => reject.mutate({ params, body: { force: false } })}
      >
        {t('task.reject')}
      </Button>
    </Waiting>
  );
}

function Approval({ approval }: { approval: WaitingApproval }) {
  const decide = useMutation({ ...decideFromHome(), onError: toastFailure });
  const { project_id: projectId, run_id: runId, node, name, node_name: nodeName } = approval;
  const address = {
    to: '/project/$projectId/workflow_runs/$runId',
    params: { projectId, runId },
  } as const;
  const send = (approve: boolean) =>
    decide.mutate({
      params: { project_id: projectId, run_id: runId, node },
      body: { approve, comment: '', answers: null, secret: null },
    });
  return (
    <Waiting
      link={
        <Link {...address}>
          {name}: {nodeName}
        </Link>
      }
      text={approval.question}
      project={{ id: projectId, name: approval.project_name }}
      by={null}
      since={approval.begin}
    >
      {approval.has_fields ? (
        <Button size="compact-sm" renderRoot={(props) => <Link {...address} {...props} />}>
          {t('overview.answer')}
        </Button>
      ) : (
        <Button
          size="compact-sm"
          loading={decide.isPending}
          aria-label={`${t('workflow.approval.approve')} ${nodeName}`}
          onClick={() => send(true)}
        >
          {t('workflow.approval.approve')}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        loading={decide.isPending}
        aria-label={`${t('task.reject')} ${nodeName}`}
        onClick={() => send(false)}
      >
        {t('task.reject')}
      </Button>
    </Waiting>
  );
}

interface WaitingProps {
  link: ReactNode;
  text: string;
  project: { id: number; name: string };
  by: ReactNode;
  since: string | null;
  /** The buttons. */
  children: ReactNode;
}

function Waiting({ link, text, project, by, since, children }: WaitingProps) {
  return (
    <li className={`rounded-8 bg-raised ${classes.waiting}`}>
      <IconHandStop className={classes.hand} size={18} aria-hidden="true" />
      <div className="column grow">
        <span className="weight-600 break">{link}</span>
        {text && <span className="break two-lines">{text}</span>}
        <span className="small soft flex wrap gap-2-8">
          <Link to="/project/$projectId" params={{ projectId: project.id }}>
            {project.name}
          </Link>
          {by}
          <TimeAgo time={since} />
        </span>
      </div>
      <div className="flex wrap gap-8">{children}</div>
    </li>
  );
}
