// The header: links to the pages, the state of the connection, signing out, and the menu with tools and appearance.
import { useReactiveVar } from '@apollo/client/react';
import { Menu } from '@base-ui/react/menu';
import { Link, useLocation } from 'react-router';
import { CAMERAS_ADDRESS } from '../camera/camera-address';
import icon from '../icon.svg';
import { Button } from '../parts/button';
import { gatewayUrl } from '../parts/gateway-url';
import { appearance, chooseAppearance } from './appearance';
import { session, signOut } from './caller-session';
import styles from './header.module.css';
import { APPEARANCES } from './kept-appearance';
import { live } from './live-cache';

/** The main pages. `sections` are the first parts of other addresses that belong to an entry. */
const PAGES: { to: string; name: string; sections?: readonly string[] }[] = [
  { to: '/', name: 'Farm' },
  { to: '/printers', name: 'Printers', sections: ['prints'] },
  { to: CAMERAS_ADDRESS, name: 'Cameras' },
  { to: '/jobs', name: 'Jobs' },
  { to: '/spools', name: 'Spools', sections: ['materials', 'labels', 'import', 'n'] },
  { to: '/filaments', name: 'Products' },
  { to: '/reports', name: 'Reports' },
  { to: '/settings', name: 'Settings', sections: ['notifications', 'start'] },
];
const CONNECTION_NAMES = { connecting: 'Connecting …', live: 'Live', lost: 'Reconnecting …' };

export function Header() {
  const current = useReactiveVar(session);
  const connection = useReactiveVar(live);
  const isSignedIn = current.state === 'signed-in';
  const section = useLocation().pathname.split('/')[1] ?? '';
  return (
    <header className={styles['header']}>
      <Link to="/" className={styles['brand']}>
        <img src={icon} alt="" width="24" height="24" />
        <span>Print Farm</span>
      </Link>
      {isSignedIn && current.mayRead && (
        <nav className={styles['pages']} aria-label="Pages">
          {PAGES.map(({ to, name, sections }) => (
            <Link
              key={to}
              to={to}
              aria-current={to.split('/')[1] === section || sections?.includes(section) ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
      )}
      <div className={styles['tools']}>
        <span className={styles['live']} data-state={connection} role="status">
          {isSignedIn && current.mayRead
            ? CONNECTION_NAMES[connection]
            : current.state === 'signed-out'
              ? 'Not signed in'
              : ''}
        </span>
        {isSignedIn && current.hasKey && (
          <Button kind="quiet" onClick={signOut}>
            Sign out
          </Button>
        )}
        <ToolMenu />
      </div>
    </header>
  );
}

function ToolMenu() {
  const chosen = useReactiveVar(appearance);
  return (
    <Menu.Root>
      <Menu.Trigger render={<Button kind="quiet">Menu</Button>} />
      <Menu.Portal>
        <Menu.Positioner className={styles['place']} align="end" sideOffset={6}>
          <Menu.Popup className={styles['menu']}>
            <Menu.LinkItem className={styles['item']} href={gatewayUrl('graphql')}>
              GraphQL playground
            </Menu.LinkItem>
            <Menu.LinkItem className={styles['item']} href={gatewayUrl('openapi')}>
              REST API reference
            </Menu.LinkItem>
            <Menu.Separator className={styles['separator']} />
            <Menu.RadioGroup value={chosen} onValueChange={chooseAppearance}>
              <Menu.GroupLabel className={styles['label']}>Appearance</Menu.GroupLabel>
              {Object.entries(APPEARANCES).map(([value, name]) => (
                <Menu.RadioItem key={value} className={styles['item']} value={value}>
                  <span className={styles['mark']}>{chosen === value ? '✓' : ''}</span>
                  <span>{name}</span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
