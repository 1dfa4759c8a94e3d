// Delays a value until the user stops typing, so that the gateway is not queried for every letter.
import { useEffect, useState } from 'react';

const PAUSE_MS = 250;

/** @param value any JSON value; it counts as changed if its JSON differs */
export function useDebounced<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as Value;
}
