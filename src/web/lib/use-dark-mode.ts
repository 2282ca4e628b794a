import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';

/** Whether the console is dark, and the function that changes this. */
export function useDarkMode(): [isDark: boolean, change: (isDark: boolean) => void] {
  const { setColorScheme, clearColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const change = (wanted: boolean) => {
    // A choice that equals the system's is not stored, so that the console follows the system.
    const system = matchMedia('(prefers-color-scheme: dark)').matches;
    if (wanted === system) clearColorScheme();
    else setColorScheme(wanted ? 'dark' : 'light');
  };
  return [isDark, change];
}
