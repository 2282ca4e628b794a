import { t } from '../../../lib/i18n.ts';
import { Segments } from '../../../ui/page/segments.tsx';
import { useIsNarrow } from '../../../ui/page/use-is-narrow.ts';

export type GraphView = 'graph' | 'list';

/** How graphs are shown, as the address says it. */
export interface ViewAddress {
  /** Undefined for what the screen has room for. */
  view: GraphView | undefined;
  onView: (view: GraphView) => void;
}

/** A picture where there is room for it, otherwise a list. */
export function useGraphView({ view }: ViewAddress): GraphView {
  const isNarrow = useIsNarrow();
  return view ?? (isNarrow ? 'list' : 'graph');
}

/** Chooses whether a graph is shown as a picture or as a list. */
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
