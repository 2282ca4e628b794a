// Maps Mantine's variables to the tokens of styles/tokens.css, and stores the colour scheme.

import {
  colorsTuple,
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  type MantineColorScheme,
  type MantineColorSchemeManager,
  type VariantColorsResolver,
} from '@mantine/core';

const tone = (name: string) => ({
  [`--mantine-color-${name}-filled`]: `var(--${name})`,
  [`--mantine-color-${name}-filled-hover`]: `var(--${name}-hover)`,
  [`--mantine-color-${name}-light`]: `var(--${name}-soft)`,
  [`--mantine-color-${name}-light-hover`]: `var(--${name}-soft)`,
  [`--mantine-color-${name}-light-color`]: `var(--${name})`,
  [`--mantine-color-${name}-outline`]: `var(--${name})`,
  [`--mantine-color-${name}-outline-hover`]: `var(--${name}-soft)`,
  [`--mantine-color-${name}-text`]: `var(--${name})`,
});

function shades(name: string, roles: string[]): Record<string, string> {
  return Object.fromEntries(
    roles.map((role, index) => [`--mantine-color-${name}-${index}`, `var(--${role})`]),
  );
}

const roles = {
  ...tone('accent'),
  ...tone('danger'),
  // Components use these two palettes directly, so both schemes map them to the same tokens.
  ...shades('gray', [
    'surface-sunken',
    'hover',
    'line',
    'line',
    'line-strong',
    'text-soft',
    'text-soft',
    'text-soft',
    'text',
    'text',
  ]),
  ...shades('dark', [
    'text',
    'text',
    'text-soft',
    'text-soft',
    'line-strong',
    'hover',
    'surface-raised',
    'surface',
    'surface-sunken',
    'page',
  ]),
  '--mantine-color-white': 'var(--surface)',
  '--mantine-color-black': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-body': 'var(--surface-raised)',
  '--mantine-color-error': 'var(--danger)',
  '--mantine-color-placeholder': 'var(--text-soft)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-dimmed': 'var(--text-soft)',
  '--mantine-color-disabled': 'var(--neutral-soft)',
  '--mantine-color-disabled-color': 'var(--text-soft)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: roles,
  dark: roles,
});

const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  if (input.variant !== 'filled') return colors;
  return { ...colors, color: input.color === 'danger' ? 'var(--on-danger)' : 'var(--on-accent)' };
};

export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent: colorsTuple('var(--accent)'), danger: colorsTuple('var(--danger)') },
  variantColorResolver: variantColors,
  defaultRadius: '6px',
  cursorType: 'pointer',
  focusRing: 'never',
  respectReducedMotion: true,
  // Chinese is written in the fonts of the system.
  fontFamily: '"Geist Variable", system-ui, sans-serif',
  fontFamilyMonospace: '"Geist Mono Variable", ui-monospace, monospace',
  components: {
    // The placeholder is a child without a role, which confuses screen readers.
    Switch: { defaultProps: { withThumbIndicator: false } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
});

const storageKey = 'darkMode';

const stored = (): MantineColorScheme => {
  const value = localStorage.getItem(storageKey);
  return value === null ? 'auto' : value === 'true' ? 'dark' : 'light';
};

/** `darkMode` in the local storage: absent means the system's scheme. */
export function storedColorScheme(): MantineColorSchemeManager {
  let listener: ((event: StorageEvent) => void) | undefined;
  return {
    get: stored,
    set: (value) => {
      if (value === 'auto') localStorage.removeItem(storageKey);
      else localStorage.setItem(storageKey, String(value === 'dark'));
    },
    subscribe: (onUpdate) => {
      listener = (event) => {
        if (event.key === storageKey) onUpdate(stored());
      };
      addEventListener('storage', listener);
    },
    unsubscribe: () => {
      if (listener) removeEventListener('storage', listener);
    },
    clear: () => localStorage.removeItem(storageKey),
  };
}

/** The CSP nonce in the page, for styles that are made at run time. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
