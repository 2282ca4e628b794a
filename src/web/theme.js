// What cannot wait for the first module.

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

// Shows the outline of the frame, and loads the frame around the screens beside the first module,
// where somebody is signed in; lib/session-cookie.ts reads the same cookie. The build names the files.
(function () {
  var files = document.currentScript.dataset.frame;
  if (!files || !/(?:^|; )signalbox_signed_in=/.test(document.cookie)) return;
  document.documentElement.setAttribute('data-signed-in', '');
  files.split(' ').forEach(function (file) {
    var link = document.createElement('link');
    link.rel = file.endsWith('css') ? 'preload' : 'modulepreload';
    if (link.rel === 'preload') link.as = 'style';
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  });
})();
