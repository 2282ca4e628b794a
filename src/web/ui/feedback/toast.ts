// Messages in the corner. What draws them is loaded with the first one.

async function show(message: string, isError: boolean): Promise<void> {
  const toasts = await import('./toasts.tsx');
  toasts.show(message, isError);
}

/** Goes away after three seconds. */
export const toast = (message: string): void => void show(message, false);

/** Stays until it is closed. */
export const toastError = (message: string): void => void show(message, true);
