import { Textarea } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WorkflowRun } from '#shared/api/workflow-runs.ts';
import { nodesAfter } from '#shared/workflows/nodes-after.ts';
import type { ApprovalNode } from '#shared/workflows/graph.ts';
import type { SurveyVariable } from '#shared/survey/survey-variable.ts';
import { ApprovalFacts } from '../../../resources/decision-facts.tsx';
import { toastFailure } from '../../../resources/use-confirmed.tsx';
import { fieldWords } from '../../../lib/error-words.ts';
import { fieldErrorsOf } from '../../../lib/form.ts';
import { t } from '../../../lib/i18n.ts';
import {
  answerProblem,
  type Answers,
  answerTexts,
  firstAnswers,
} from '../../../lib/survey/survey.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { DecisionCard } from '../../../ui/page/decision-card.tsx';
import { decideNode } from '../workflows.queries.ts';

export type ApprovalValues = { comment: string; answers: Answers };

export interface ApprovalParts {
  /** Why the user may not decide a node; null if they may. */
  refusalOf: (node: ApprovalNode, run: WorkflowRun) => string | null;
  renderAnswers: (
    variables: SurveyVariable[],
    form: UseFormReturnType<ApprovalValues>,
  ) => ReactNode;
}

interface Props extends ApprovalParts {
  run: WorkflowRun;
  node: ApprovalNode;
}

/** An approval that a run waits for: its question, its survey, and the two buttons. */
export function ApprovalBox({ run, node, refusalOf, renderAnswers }: Props) {
  const refused = refusalOf(node, run);
  const form = useForm<ApprovalValues>({
    initialValues: { comment: '', answers: firstAnswers(node.fields) },
  });
  const decide = useDecision(run, node, form);
  return (
    <div style={{ marginBottom: 20 }}>
      <DecisionCard
        title={t('workflow.approval.waits', { node: node.name })}
        summary={<span className="pre-wrap">{node.question}</span>}
        facts={
          <ApprovalFacts
            projectId={run.project_id}
            run={run}
            next={nodesAfter(run.graph, node.key).map(({ name }) => name)}
            until={run.nodes.find(({ key }) => key === node.key)?.until ?? null}
          />
        }
        refused={refused}
        approve={{
          words: t('workflow.approval.approve'),
          isSent: decide.isPending,
          onClick: () => decide.send(true),
        }}
        reject={{
          words: t('task.reject'),
          isSent: decide.isPending,
          onClick: () => decide.send(false),
        }}
      >
        {refused === null && (
          <>
            {renderAnswers(node.fields, form)}
            <Textarea
              label={t('workflow.approval.comment')}
              autosize
              minRows={1}
              maxRows={6}
              {...form.getInputProps('comment')}
            />
          </>
        )}
      </DecisionCard>
    </div>
  );
}

function useDecision(
  run: WorkflowRun,
  { key, name, fields }: ApprovalNode,
  form: UseFormReturnType<ApprovalValues>,
) {
  const { mutate, isPending } = useMutation({
    ...decideNode(),
    onSuccess: (_, { body }) =>
      toast(t(`workflow.approval.${body.approve ? 'approved' : 'rejected'}`, { node: name })),
    onError: (error) => {
      form.setErrors(fieldErrorsOf(error, inputPath));
      toastFailure(error);
    },
  });
  const send = (approve: boolean) => {
    const { comment, answers } = form.getValues();
    // A rejection needs no answers.
    const errors = approve ? answerErrors(fields, answers) : {};
    form.setErrors(errors);
    const [first] = Object.keys(errors);
    if (first !== undefined) return form.getInputNode(first)?.focus();
    const texts = answerTexts(fields, approve ? answers : {});
    const body = { approve, comment, answers: texts.environment, secret: texts.secret };
    return mutate({
      params: { project_id: run.project_id, run_id: run.id, node: key },
      body: approve ? body : { approve, comment, answers: null, secret: null },
    });
  };
  return { isPending, send };
}

/** The server's error path names the text that contains the answer. */
const inputPath = (path: string): string => path.replace(/^secret\.(?=.)/, 'answers.');

const answerErrors = (variables: SurveyVariable[], answers: Answers): Record<string, string> =>
  Object.fromEntries(
    variables.flatMap((variable) => {
      const problem = answerProblem(variable, answers[variable.name]);
      const words = problem && fieldWords(problem, { title: variable.title });
      return words ? [[`answers.${variable.name}`, words]] : [];
    }),
  );
