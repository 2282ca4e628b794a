import { t } from '../../../lib/i18n.ts';
import { Segments } from '../../../ui/page/segments.tsx';

export type TemplateView = 'list' | 'board';

interface Props {
  view: TemplateView;
  onView: (view: TemplateView) => void;
}

export function TemplateViews({ view, onView }: Props) {
  return (
    <Segments<TemplateView>
      aria-label={t('template.board.view')}
      value={view}
      onChange={onView}
      data={[
        { value: 'list', label: t('template.board.list') },
        { value: 'board', label: t('template.board.versions') },
      ]}
    />
  );
}
