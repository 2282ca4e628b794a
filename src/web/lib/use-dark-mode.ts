import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';

export function useDarkMode(): [isDark: boolean, change: (isDark: boolean) => void] {
  const { setColorScheme, clearColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const change = (wanted: boolean) => {
    // The system's scheme is not stored, so that the console follows later changes of the system.
    const system = matchMedia('(prefers-color-scheme: dark)').matches;
    if (wanted === system) clearColorScheme();
    else setColorScheme(wanted ? 'dark' : 'light');
  };
  return [isDark, change];
}
