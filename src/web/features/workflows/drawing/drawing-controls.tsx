import { type FitViewOptions, Panel, useReactFlow } from '@xyflow/react';
import {
  IconArrowsMaximize,
  IconLayoutDistributeVertical,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';

interface Props {
  /** The number of nodes; a change fits the view again. */
  count: number;
  fit: FitViewOptions;
  /** Missing where the graph is read-only. */
  onArrange?: () => void;
}

export function DrawingControls({ count, fit, onArrange }: Props) {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a further node needs room
  useEffect(() => void fitView(fit), [count, fit, fitView]);
  return (
    <Panel position="top-right" className="flex gap-2 bg-raised border rounded-8">
      <IconButton
        label={t('workflow.drawing.zoom_in')}
        icon={<IconZoomIn size={18} />}
        onClick={() => void zoomIn()}
      />
      <IconButton
        label={t('workflow.drawing.zoom_out')}
        icon={<IconZoomOut size={18} />}
        onClick={() => void zoomOut()}
      />
      <IconButton
        label={t('workflow.drawing.fit')}
        icon={<IconArrowsMaximize size={18} />}
        onClick={() => void fitView(fit)}
      />
      {onArrange && (
        <IconButton
          label={t('workflow.drawing.arrange')}
          icon={<IconLayoutDistributeVertical size={18} />}
          onClick={onArrange}
        />
      )}
    </Panel>
  );
}
