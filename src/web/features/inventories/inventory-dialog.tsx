import { useMutation } from '@tanstack/react-query';
import { inventories, type Inventory, newInventory } from '#shared/api/inventories.ts';
import { useBodyForm } from '../../lib/form.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Base, useOpened } from '../../lib/use-opened.ts';
import { EditDialog, type Edited, OpenedForm } from '../../ui/edit-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { createInventory, updateInventory } from './inventories.queries.ts';
import { InventoryFields } from './inventory-fields.tsx';
import { inventoryBody, inventoryValues } from './inventory-values.ts';

interface Props {
  projectId: number;
  edit: Edited;
  onClose: () => void;
}

export function InventoryDialog({ projectId, edit, onClose }: Props) {
  const { t } = useTranslation();
  const place = { projectId, onClose };
  return (
    <EditDialog
      edit={edit}
      onClose={onClose}
      newTitle={t('inventory.new')}
      editTitle={t('inventory.edit')}
      size={720}
    >
      {(id) =>
        id === null ? (
          <NewInventoryForm {...place} />
        ) : (
          <ChangedInventory key={id} {...place} inventoryId={id} />
        )
      }
    </EditDialog>
  );
}

type Place = Pick<Props, 'projectId' | 'onClose'>;

function NewInventoryForm({ projectId, onClose }: Place) {
  const { t } = useTranslation();
  const create = useMutation(createInventory());
  const { form, frame } = useBodyForm({
    initial: inventoryValues(),
    schema: newInventory,
    toBody: inventoryBody,
    submit: async (body) => {
      const { name } = await create.mutateAsync({ params: { project_id: projectId }, body });
      toast(t('inventory.created', { name }));
      onClose();
    },
  });
  return (
    <Form {...frame} action={t('common.create')}>
      <InventoryFields projectId={projectId} form={form} />
    </Form>
  );
}

function ChangedInventory({ inventoryId, ...place }: Place & { inventoryId: number }) {
  const params = { project_id: place.projectId, inventory_id: inventoryId };
  const opened = useOpened(inventories.one, params);
  return (
    <OpenedForm opened={opened} fields={5}>
      {(base) => <InventoryForm {...place} base={base} />}
    </OpenedForm>
  );
}

function InventoryForm({ projectId, onClose, base }: Place & { base: Base<Inventory> }) {
  const { t } = useTranslation();
  const update = useMutation(updateInventory());
  const { form, frame } = useBodyForm({
    initial: inventoryValues(base.thing),
    schema: newInventory,
    toBody: inventoryBody,
    submit: async (body, overwrite) => {
      const params = { project_id: projectId, inventory_id: base.thing.id };
      await update.mutateAsync({ params, body, ifMatch: overwrite ? undefined : base.revision });
      toast(t('inventory.saved', { name: body.name }));
      onClose();
    },
  });
  return (
    <Form {...frame} onReload={base.onReload} action={t('common.save')}>
      <InventoryFields projectId={projectId} form={form} />
    </Form>
  );
}
