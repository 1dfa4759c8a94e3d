// A value that follows typing when it pauses: the gateway is not asked at every letter.
import { useEffect, useState } from 'react';

const PAUSE_MS = 250;

/** @param value compared by its JSON */
export function useDebounced<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as Value;
}
