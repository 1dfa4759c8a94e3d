// The pages about filament, side by side.
import { NavLink, Outlet } from 'react-router';
import styles from './filament.module.css';

const PAGES = [
  { to: '/filament', name: 'Spools' },
  { to: '/filament/usage', name: 'Usage' },
  { to: '/filament/materials', name: 'Materials' },
  { to: '/filament/printers', name: 'Printers' },
];

export function FilamentFrame() {
  return (
    <>
      <nav className={styles['pages']} aria-label="Filament">
        {PAGES.map(({ to, name }) => (
          <NavLink key={to} to={to} end>
            {name}
          </NavLink>
        ))}
      </nav>
      <Outlet />
    </>
  );
}
