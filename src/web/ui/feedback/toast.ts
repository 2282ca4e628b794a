// Toasts: short messages in the corner of the page. Their code is loaded with the first one.

async function show(message: string, isError: boolean): Promise<void> {
  const toasts = await import('./toasts.tsx');
  toasts.show(message, isError);
}

/** Shows a message that goes away after three seconds. */
export const toast = (message: string): void => void show(message, false);

/** Shows an error that stays until it is closed. */
export const toastError = (message: string): void => void show(message, true);
