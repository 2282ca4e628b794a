import { lazyExport } from '../../../ui/lazy-export.ts';
import { t } from '../../../lib/i18n.ts';
import { Segments } from '../../../ui/page/segments.tsx';
import { useIsNarrow } from '../../../ui/page/use-is-narrow.ts';

type GraphView = 'graph' | 'list';

/** The layout of graphs in the address. */
export interface ViewAddress {
  /** Undefined: the layout that fits the screen's width. */
  view: GraphView | undefined;
  onView: (view: GraphView) => void;
}

export function useGraphView({ view }: ViewAddress): GraphView {
  const isNarrow = useIsNarrow();
  return view ?? (isNarrow ? 'list' : 'graph');
}

export function ViewChoice({ address }: { address: ViewAddress }) {
  return (
    <Segments<GraphView>
      aria-label={t('workflow.view.label')}
      value={useGraphView(address)}
      onChange={address.onView}
      data={[
        { value: 'graph', label: t('workflow.view.graph') },
        { value: 'list', label: t('workflow.view.list') },
      ]}
    />
  );
}

export const LazyDrawing = lazyExport(() => import('./graph-drawing.tsx'), 'GraphDrawing');
