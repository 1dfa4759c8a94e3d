// Decides the order in which the printers are shown. The order does not change under the pointer or the focus of the keyboard.
import { type FocusEvent, useEffect, useMemo, useRef, useState } from 'react';
import { keepOrder } from './printer-order';

/**
 * @param ids the printers in the order that they should have
 * @param choice the order that the user chose. A new choice takes effect immediately.
 */
export function useShownOrder(ids: readonly string[], choice: string) {
  const key = ids.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has the ids
  const wanted = useMemo(() => ids, [key]);
  const [shown, setShown] = useState(wanted);
  const isPointerInside = useRef(false);
  const frame = useRef<HTMLDivElement>(null);
  const shownChoice = useRef(choice);
  useEffect(() => {
    const isHeld = isPointerInside.current || frame.current?.querySelector(':focus-visible') != null;
    if (isHeld && shownChoice.current === choice) return;
    shownChoice.current = choice;
    setShown(wanted);
  }, [wanted, choice]);
  const order = useMemo(() => keepOrder(shown, wanted), [shown, wanted]);
  const holder = {
    ref: frame,
    onPointerEnter: () => {
      isPointerInside.current = true;
    },
    onPointerLeave: () => {
      isPointerInside.current = false;
      if (frame.current?.querySelector(':focus-visible') == null) setShown(wanted);
    },
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent<HTMLDivElement>) => {
      if (!isPointerInside.current && !currentTarget.contains(relatedTarget)) setShown(wanted);
    },
  };
  return { order, holder };
}
