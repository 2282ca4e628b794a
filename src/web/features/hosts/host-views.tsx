import { t } from '../../lib/i18n.ts';
import { Segments } from '../../ui/page/segments.tsx';

type View = 'list' | 'map';

export function HostViews({ view, onView }: { view: View; onView: (view: View) => void }) {
  return (
    <Segments<View>
      aria-label={t('host.map.view')}
      value={view}
      onChange={onView}
      data={[
        { value: 'list', label: t('host.map.list') },
        { value: 'map', label: t('host.map.map') },
      ]}
    />
  );
}
