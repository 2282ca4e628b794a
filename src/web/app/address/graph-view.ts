import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ViewAddress } from '../../features/workflows/drawing/view-choice.tsx';

/** Whether the graph on a screen is a picture or a list, which its address says. */
export function useGraphAddress(): ViewAddress {
  const { as }: { as?: ViewAddress['view'] } = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    view: as,
    onView: (view) =>
      void navigate({
        to: '.',
        search: (search) => ({ ...search, as: view }),
        replace: true,
        resetScroll: false,
      }),
  };
}
