import { type ReactNode, useState } from 'react';
import type { HelpTopic } from '../dialogs/help-topics.ts';
import { Failure } from '../feedback/failure.tsx';
import { FormSkeleton } from '../feedback/skeleton.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useFormFrame } from './form-frame.ts';

/** A new resource, the one with this id, or none. */
export type Edited = number | 'new' | null;

/**
 * The edited resource is in the address of a screen: it has a link, and "back" closes the dialog.
 */
export interface EditAddress {
  edit: Edited;
  onEdit: (edit: Edited) => void;
}

interface Props {
  edit: Edited;
  onClose: () => void;
  newTitle: string;
  editTitle: string;
  help: HelpTopic;
  size?: number | string;
  /** `id` is null for a new resource. */
  children: (id: number | null) => ReactNode;
}

export function EditDialog({ edit, onClose, newTitle, editTitle, help, size, children }: Props) {
  // Keeps the content during the closing animation.
  const [shown, setShown] = useState(edit);
  if (edit !== null && edit !== shown) setShown(edit);
  return (
    <FormDialog
      opened={edit !== null}
      onClose={onClose}
      title={shown === 'new' ? newTitle : editTitle}
      help={help}
      {...(size === undefined ? {} : { size })}
    >
      {shown !== null && children(shown === 'new' ? null : shown)}
    </FormDialog>
  );
}

/** A resource when its form was opened. */
export interface OpenedResource<Resource> {
  resource: Resource | undefined;
  /** Why the resource could not be read. */
  failure: string | null;
  onRetry: () => void;
  /** The number of reloads; each reload makes a new form. */
  reloads: number;
}

interface OpenedProps<Resource> {
  opened: OpenedResource<Resource>;
  fields?: number;
  children: (resource: Resource) => ReactNode;
}

/** Shows the form once its resource is loaded, and a skeleton or the failure before. */
export function OpenedForm<Resource>({ opened, fields = 3, children }: OpenedProps<Resource>) {
  const { resource, failure, onRetry, reloads } = opened;
  const hasFrame = useFormFrame() !== null;
  if (failure !== null) return <Failure message={failure} onRetry={onRetry} />;
  if (resource === undefined) return <FormSkeleton fields={fields} />;
  return (
    <div key={reloads} ref={hasFrame ? focusFirst : null}>
      {children(resource)}
    </div>
  );
}

/** The inputs were not mounted when the dialog or page opened. */
export function focusFirst(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('[data-autofocus], input, textarea, button')?.focus();
}
