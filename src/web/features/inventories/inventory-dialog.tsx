import { useMutation } from '@tanstack/react-query';
import { filledInventory, inventories, type Inventory } from '#shared/api/inventories.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useEditableResource } from '../../lib/use-editable-resource.ts';
import { useResourceForm } from '../../lib/use-resource-form.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/forms/edit-dialog.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { createInventory, updateInventory } from './inventories.queries.ts';
import { InventoryFields } from './inventory-fields.tsx';
import { inventoryBody, inventoryValues } from './inventory-values.ts';

interface Props {
  projectId: number;
  edit: Edited;
  onClose: () => void;
  /** Called with the id of a new thing. */
  onMade?: (id: number) => void;
}

export function InventoryDialog({ edit, ...place }: Props) {
  const { t } = useTranslation();
  return (
    <EditDialog
      edit={edit}
      onClose={place.onClose}
      newTitle={t('inventory.new')}
      editTitle={t('inventory.edit')}
      size={720}
      help="inventory"
    >
      {(id) => <OpenedInventory key={id ?? 'new'} {...place} id={id} />}
    </EditDialog>
  );
}

type DialogProps = Omit<Props, 'edit'>;

function OpenedInventory({ id, ...inner }: DialogProps & { id: number | null }) {
  const { projectId } = inner;
  const opened = useEditableResource(
    inventories.one,
    id === null ? null : { project_id: projectId, inventory_id: id },
  );
  return (
    <OpenedForm opened={opened} fields={5}>
      {(base) => <InventoryForm {...inner} base={base} />}
    </OpenedForm>
  );
}

function InventoryForm({
  projectId,
  onClose,
  onMade,
  base,
}: DialogProps & { base: Base<Inventory> | null }) {
  const { t } = useTranslation();
  const create = useMutation(createInventory());
  const update = useMutation(updateInventory());
  const { form, frame } = useResourceForm({
    base,
    initial: inventoryValues(base?.thing),
    schema: filledInventory,
    toBody: inventoryBody,
    create: (body) => create.mutateAsync({ params: { project_id: projectId }, body }),
    update: (body, { id }, ifMatch) =>
      update.mutateAsync({ params: { project_id: projectId, inventory_id: id }, body, ifMatch }),
    onSaved: (name, id) => {
      toast(t(base ? 'inventory.saved' : 'inventory.created', { name }));
      if (id !== undefined) onMade?.(id);
      onClose();
    },
  });
  return (
    <Form {...frame}>
      <InventoryFields projectId={projectId} form={form} />
    </Form>
  );
}
