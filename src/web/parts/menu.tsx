// A button that opens a menu of less frequent actions.
import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Button } from './button';
import styles from './menu.module.css';

interface MenuProps {
  /** The name of the menu for screen readers, such as "More actions for Cable clip". */
  label: string;
  /** The text on the button. `label` must start with it, so that voice control finds the button. */
  text?: string;
  items: readonly { name: string; onClick: () => void }[];
}

export function Menu({ label, text = '⋯', items }: MenuProps) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger
        render={
          <Button kind="quiet" aria-label={label}>
            {text}
          </Button>
        }
      />
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={styles['place']} align="end" sideOffset={4}>
          <BaseMenu.Popup className={styles['menu']}>
            {items.map(({ name, onClick }) => (
              <BaseMenu.Item key={name} className={styles['item']} onClick={onClick}>
                {name}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
