import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { IconGripVertical } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { t } from '../../lib/i18n.ts';
import classes from './sortable-list.module.css';

interface Props<Item> {
  label: string;
  items: Item[];
  itemKey: (item: Item) => string | number;
  /** The accessible name of an item. */
  itemName: (item: Item) => string;
  onMove: (from: number, to: number) => void;
  children: (item: Item, index: number) => ReactNode;
}

/** A list that is sorted by drag and drop, also by touch or keyboard. */
export function SortableList<Item>(props: Props<Item>) {
  const { label, items, itemKey, itemName, onMove, children } = props;
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const isLifted = useRef(false);
  const placeOf = (id: UniqueIdentifier) => items.findIndex((item) => itemKey(item) === id);
  const ended = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) onMove(placeOf(active.id), placeOf(over.id));
  };
  const namesOf = (id: UniqueIdentifier, over?: UniqueIdentifier) => {
    const item = items[placeOf(id)];
    const values = { name: item ? itemName(item) : '', total: items.length };
    return { ...values, place: placeOf(over ?? id) + 1 };
  };
  const announcements: Announcements = {
    onDragStart: ({ active }) => {
      isLifted.current = true;
      return t('sort.lifted', namesOf(active.id));
    },
    onDragOver: ({ active, over }) => {
      // The first message of a lift says that the item is over its own place; it would replace the
      // announcement of the lift.
      const isFirst = isLifted.current && over?.id === active.id;
      isLifted.current = false;
      return isFirst ? undefined : t('sort.over', namesOf(active.id, over?.id));
    },
    onDragEnd: ({ active, over }) => t('sort.dropped', namesOf(active.id, over?.id)),
    onDragCancel: ({ active }) => t('sort.cancelled', namesOf(active.id)),
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={ended}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('sort.how') } }}
    >
      <SortableContext items={items.map(itemKey)} strategy={verticalListSortingStrategy}>
        <ul className="border rounded-6" aria-label={label}>
          {items.map((item, index) => (
            <Row key={itemKey(item)} id={itemKey(item)} name={itemName(item)}>
              {children(item, index)}
            </Row>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

function Row({ id, name, children }: { id: string | number; name: string; children: ReactNode }) {
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({
    id,
  });
  // While an item is dragged, Escape drops it; the dialog around the list stays open.
  const keepsEscape = isDragging ? { 'data-mantine-stop-propagation': true } : {};
  const vertical = transform && { ...transform, x: 0, scaleX: 1, scaleY: 1 };
  return (
    <li
      ref={setNodeRef}
      className={`row gap-8 min-w-0 bg-raised relative ${classes.row}`}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Transform.toString(vertical), transition }}
      {...keepsEscape}
    >
      <button
        type="button"
        className={`inline-flex center flex-none soft rounded-6 ${classes.handle}`}
        {...attributes}
        {...listeners}
        aria-label={t('sort.handle', { name })}
      >
        <IconGripVertical size={16} />
      </button>
      {children}
    </li>
  );
}
