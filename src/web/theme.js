// Sets the colour scheme before the first paint; lib/theme.ts reads and writes the same entry.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem('darkMode');
  } catch {
    // Without storage, the system's scheme is used.
  }
  var dark = stored ? stored === 'true' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
