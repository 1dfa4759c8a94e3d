// The header: links to the pages, the state of the connection, signing out, and the menu with tools and appearance.
import { useReactiveVar } from '@apollo/client/react';
import { Menu } from '@base-ui/react/menu';
import { Link, useLocation } from 'react-router';
import { CAMERAS_ADDRESS } from '../camera/camera-address';
import icon from '../icon.svg';
import { Button } from '../parts/button';
import { gatewayUrl } from '../parts/gateway-url';
import { SHOPPING_ADDRESS } from '../parts/object-addresses';
import { SearchButton } from '../search/search-button';
import { appearance, chooseAppearance } from './appearance';
import { session, signOut } from './caller-session';
import styles from './header.module.css';
import { APPEARANCES } from './kept-appearance';
import { live } from './live-cache';

interface PageLink {
  to: string;
  name: string;
  /** The first parts of other addresses that belong to the page. */
  sections?: readonly string[];
  /** Whether only a wide window has room for the page in the header. */
  isWide?: boolean;
  /** The outline of the icon on a phone, on a square of 24. On a phone a page without an icon is in the menu "More". */
  icon?: string;
}

/** The main pages. */
const PAGES: readonly PageLink[] = [
  { to: '/', name: 'Farm', icon: 'M3 3h8v8H3zm10 0h8v8h-8zM3 13h8v8H3zm10 0h8v8h-8z' },
  {
    to: '/printers',
    name: 'Printers',
    sections: ['prints'],
    icon: 'M3 3h18v18H3zm2 2v12h14V5h-4v4l-3 4-3-4V5z',
  },
  { to: CAMERAS_ADDRESS, name: 'Cameras' },
  { to: '/jobs', name: 'Jobs', icon: 'M3 4h4v4H3zm6 1h12v2H9zm-6 5h4v4H3zm6 1h12v2H9zm-6 5h4v4H3zm6 1h12v2H9z' },
  {
    to: '/spools',
    name: 'Spools',
    sections: ['materials', 'labels', 'import', 'n'],
    icon: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zm0 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  },
  { to: '/filaments', name: 'Products' },
  { to: SHOPPING_ADDRESS, name: 'Shopping list', isWide: true },
  { to: '/reports', name: 'Reports' },
  { to: '/settings', name: 'Settings', sections: ['notifications', 'start'] },
];
const MORE_PAGES = PAGES.filter(({ icon }) => icon === undefined);
const MORE_ICON = 'M3 10h4v4H3zm7 0h4v4h-4zm7 0h4v4h-4z';

/** The shopping list has an address below that of the products. */
function isCurrent({ to, sections }: PageLink, path: string): boolean {
  if (to === SHOPPING_ADDRESS || path === SHOPPING_ADDRESS) return to === path;
  const section = path.split('/')[1] ?? '';
  return to.split('/')[1] === section || sections?.includes(section) === true;
}

const CONNECTION_NAMES = { connecting: 'Connecting …', live: 'Live', lost: 'Reconnecting …' };

export function Header() {
  const current = useReactiveVar(session);
  const connection = useReactiveVar(live);
  const isSignedIn = current.state === 'signed-in';
  const path = useLocation().pathname;
  return (
    <header className={styles['header']}>
      <Link to="/" className={styles['brand']}>
        <img src={icon} alt="" width="24" height="24" />
        <span>Print Farm</span>
      </Link>
      {isSignedIn && current.mayRead && (
        <nav className={styles['pages']} aria-label="Pages">
          {PAGES.map((page) => (
            <Link
              key={page.to}
              to={page.to}
              data-rare={page.icon === undefined}
              data-wide={page.isWide}
              aria-current={isCurrent(page, path) ? 'page' : undefined}
            >
              {page.icon !== undefined && <Icon path={page.icon} />}
              <span>{page.name}</span>
            </Link>
          ))}
          <MoreMenu path={path} />
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
        {isSignedIn && current.mayRead && <SearchButton pages={PAGES} />}
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

const Icon = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" width="22" height="22" fill="currentColor" fillRule="evenodd" aria-hidden="true">
    <path d={path} />
  </svg>
);

/** The pages for which the bar of a phone has no room. */
function MoreMenu({ path }: { path: string }) {
  return (
    <Menu.Root>
      <Menu.Trigger
        className={styles['more']}
        data-current={MORE_PAGES.some((page) => isCurrent(page, path)) || undefined}
      >
        <Icon path={MORE_ICON} />
        <span>More</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={styles['place']} align="end" sideOffset={6}>
          <Menu.Popup className={styles['menu']}>
            {MORE_PAGES.map((page) => (
              <Menu.LinkItem
                key={page.to}
                className={styles['item']}
                closeOnClick
                render={<Link to={page.to} aria-current={isCurrent(page, path) ? 'page' : undefined} />}
              >
                {page.name}
              </Menu.LinkItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
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
