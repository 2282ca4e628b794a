import { Button, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { type Workflow, workflows } from '#shared/api/workflows.ts';
import { t } from '../../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../../resources/use-editable-resource.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Failure } from '../../../ui/feedback/failure.tsx';
import { IdSelect } from '../../../ui/forms/id-select.tsx';
import { OpenedForm } from '../../../ui/forms/edit-dialog.tsx';
import { Stale } from '../../../ui/forms/form.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { LeaveQuestion } from '../../../ui/dialogs/leave-question.tsx';
import { viewQueries } from '../../views/views.queries.ts';
import type { ViewAddress } from '../drawing/view-choice.tsx';
import { emptyDraft } from './edits.ts';
import { GraphEditor } from './graph-editor.tsx';
import type { NodeParts } from './fields-props.ts';
import { type EditedDraft, type SavedDraft, useDraft, useSaveDraft } from './use-draft.ts';

interface Props extends NodeParts {
  projectId: number;
  workflowId: number | null;
  newIn: number | null;
  view: ViewAddress;
  onSaved: (workflowId: number) => void;
}

export function EditorPage(props: Props) {
  const { projectId, workflowId } = props;
  const opened = useEditableResource(
    workflows.one,
    workflowId === null ? null : { project_id: projectId, workflow_id: workflowId },
  );
  return (
    <OpenedForm opened={opened} fields={4}>
      {(base) => <Editor {...props} base={base} />}
    </OpenedForm>
  );
}

type EditorProps = Props & { base: Base<Workflow> | null };

function Editor({ base, ...props }: EditorProps) {
  const edited = useDraft(base ? draftOf(base.resource) : { ...emptyDraft, view_id: props.newIn });
  const save = useSaveDraft({ ...props, base, edited });
  const title = base ? base.resource.name : t('workflow.new');
  return (
    <Page
      title={title}
      above={<LinksAbove {...props} name={base?.resource.name} />}
      actions={<Actions edited={edited} save={save} isNew={base === null} />}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of everything inside */}
      <div className="column gap-16" onKeyDown={(event) => undoByKey(event, edited)}>
        <Failure message={save.message} requestId={save.requestId} />
        {save.isStale && (
          <Stale saving={save.isSaving} onReload={base?.onReload} onOverwrite={save.overwrite} />
        )}
        <Names projectId={props.projectId} edited={edited} />
        <GraphEditor {...props} edited={edited} />
      </div>
      <LeaveQuestion isDirty={() => edited.isDirty && !save.isLeft()} />
    </Page>
  );
}

const draftOf = ({ name, description, view_id, graph }: Workflow) => ({
  name,
  description,
  view_id,
  graph,
});

function LinksAbove({ projectId, workflowId, name }: Props & { name: string | undefined }) {
  return (
    <nav aria-label={t('common.breadcrumb')}>
      <Link to="/project/$projectId/workflows" params={{ projectId }}>
        {t('workflow.list')}
      </Link>
      {workflowId !== null && (
        <>
          <span className="soft" aria-hidden="true">
            {' › '}
          </span>
          <Link to="/project/$projectId/workflows/$workflowId" params={{ projectId, workflowId }}>
            {name}
          </Link>
        </>
      )}
    </nav>
  );
}

/** Inputs have an undo of their own; elsewhere the keys undo the last change. */
function undoByKey(event: React.KeyboardEvent, { undo, redo }: EditedDraft): void {
  const isMod = (event.ctrlKey || event.metaKey) && !event.altKey;
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea');
  const key = event.key.toLowerCase();
  if (!isMod || isTyping || (key !== 'z' && key !== 'y')) return;
  event.preventDefault();
  if (key === 'y' || event.shiftKey) redo();
  else undo();
}

interface ActionsProps {
  edited: EditedDraft;
  save: SavedDraft;
  isNew: boolean;
}

function Actions({ edited, save, isNew }: ActionsProps) {
  return (
    <>
      <IconButton
        label={t('workflow.editor.undo')}
        icon={<IconArrowBackUp size={18} />}
        disabled={!edited.canUndo}
        onClick={edited.undo}
      />
      <IconButton
        label={t('workflow.editor.redo')}
        icon={<IconArrowForwardUp size={18} />}
        disabled={!edited.canRedo}
        onClick={edited.redo}
      />
      <Button loading={save.isSaving} onClick={save.start}>
        {t(isNew ? 'common.create' : 'common.save')}
      </Button>
    </>
  );
}

function Names({ projectId, edited }: { projectId: number; edited: EditedDraft }) {
  const views = useQuery(viewQueries.list(projectId)).data;
  const { draft, errors, change } = edited;
  return (
    <div
      className="grid items-start gap-14"
      style={{
        gridTemplateColumns: 'repeat(auto-fit, minmax(min(260px, 100%), 1fr))',
        maxWidth: 960,
      }}
    >
      <TextInput
        label={t('common.name')}
        required
        value={draft.name}
        error={errors['name']}
        onChange={(event) => change({ ...draft, name: event.currentTarget.value }, 'name')}
      />
      <Textarea
        label={t('workflow.description')}
        autosize
        minRows={1}
        maxRows={6}
        value={draft.description}
        error={errors['description']}
        onChange={(event) =>
          change({ ...draft, description: event.currentTarget.value }, 'description')
        }
      />
      {views && views.length > 0 && (
        <IdSelect
          label={t('template.form.view')}
          items={views.map(({ id, title }) => ({ id, name: title }))}
          value={draft.view_id}
          onChange={(id) => change({ ...draft, view_id: id })}
          error={errors['view_id']}
        />
      )}
    </div>
  );
}
