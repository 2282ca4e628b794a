// What surrounds forms, a dialog or a page, knows which of them have unsaved input.

import { createContext, useContext, useEffect, useRef, useState } from 'react';

type IsDirty = () => boolean;

interface FormFrame {
  kind: 'dialog' | 'page';
  /** Closes the dialog or page; asks first if there is unsaved input. */
  close: () => void;
  /**
   * Registers a function that returns whether the form has unsaved input; returns one that
   * unregisters it.
   */
  watch: (isDirty: IsDirty) => () => void;
}

export const FormFrameContext = createContext<FormFrame | null>(null);

export const useFormFrame = () => useContext(FormFrameContext);

/** The forms within a frame. */
export function useWatchedForms() {
  const [forms] = useState(() => new Set<IsDirty>());
  const [watched] = useState(() => ({
    isDirty: () => [...forms].some((isDirty) => isDirty()),
    watch: (isDirty: IsDirty) => {
      forms.add(isDirty);
      return () => void forms.delete(isDirty);
    },
  }));
  return watched;
}

export function useUnsaved(isDirty: IsDirty | undefined): void {
  const frame = useFormFrame();
  const asked = useRef(isDirty);
  useEffect(() => {
    asked.current = isDirty;
  });
  const watch = frame?.watch;
  useEffect(() => watch?.(() => asked.current?.() ?? false), [watch]);
}
