// The stops of the tour at menus, lists of choices, the palette and the shortcuts.

import { at, menu, press, type Stop } from './tour-stops.ts';

/** Small screens have the buttons of the sidebar in a drawer. */
const inSidebar =
  (act: NonNullable<Stop['act']>): NonNullable<Stop['act']> =>
  async (page, say) => {
    const opener = page.getByRole('button', { name: say('shell.open_menu'), exact: true });
    if (await opener.isVisible()) await opener.click();
    await act(page, say);
  };

/** Menus and lists of choices, whose entries are drawn over everything else. */
export const menus: Stop[] = [
  {
    name: 'menu-projects',
    path: at('history'),
    act: inSidebar(press('shell.choose_project')),
    opens: menu,
  },
  {
    name: 'menu-language',
    path: at('history'),
    act: inSidebar(async (page, say) => {
      await page.getByRole('button', { name: /^Administrator/ }).click();
      await page
        .getByRole('menuitem', { name: say('language.choose', { name: '' }).trim() })
        .click();
    }),
    opens: menu,
  },
  {
    name: 'menu-user',
    path: at('history'),
    act: inSidebar((page) => page.getByRole('button', { name: /^Administrator/ }).click()),
    opens: menu,
  },
  {
    name: 'menu-row',
    path: at('templates'),
    for: 'resources',
    act: press('template.more_label', { name: 'Patch servers' }),
    opens: menu,
  },
  {
    name: 'list-of-choices',
    path: at('inventory?edit=new'),
    for: 'resources',
    act: async (page, say) => {
      await page.getByRole('combobox', { name: say('inventory.user_credentials') }).click();
      await page.keyboard.press('ArrowDown');
    },
    opens: (page) => page.locator('[role="option"][data-combobox-selected]'),
  },
];

export const keyboard: Stop[] = [
  { name: 'palette', path: at('history'), act: (page) => page.keyboard.press('Control+k') },
  {
    name: 'palette-found',
    path: at('history'),
    act: async (page, say) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: say('palette.search') }).fill('staging-web');
    },
    // The entry that Enter would open, with the project below its name.
    opens: (page) => page.locator('[data-action][data-selected]', { hasText: 'staging-web' }),
  },
  { name: 'shortcuts', path: at('history'), act: (page) => page.keyboard.press('?') },
];
