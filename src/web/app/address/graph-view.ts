import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ViewAddress } from '../../features/workflows/drawing/view-choice.tsx';

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
