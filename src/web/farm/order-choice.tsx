// The list in which the user chooses the order of the printers. The browser remembers the choice.
import { useStoredOption } from '../parts/stored-choice';
import styles from './farm.module.css';
import { ORDERS, type Order } from './printer-order';

/** The stored order, or else the default; and a function that stores a choice. */
export function useOrder(): [order: Order, keep: (order: Order) => void] {
  const [chosen, keep] = useStoredOption('print-farm-printers-order', ORDERS);
  return [chosen ?? 'needs', keep];
}

export function OrderChoice({ order, onChoose }: { order: Order; onChoose: (order: Order) => void }) {
  return (
    <label className={styles['order']}>
      <span>Sort by</span>
      <select value={order} onChange={({ target }) => onChoose(target.value as Order)}>
        {Object.entries(ORDERS).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
