// The page of settings: notifications, materials, the first steps, and the addresses that programs use.
import { useQuery } from '@apollo/client/react';
import { Link } from 'react-router';
import { StartDocument } from '../../generated/web-operations';
import { gatewayUrl } from '../parts/gateway-url';
import { Page } from '../parts/page';
import { useMayConfigureDevices } from '../parts/use-viewer';
import styles from './start.module.css';
import { stepsOf } from './steps';

export function SettingsPage() {
  const mayConfigureDevices = useMayConfigureDevices();
  const found = useQuery(StartDocument).data;
  // A farm whose steps are done needs them no more. Notifications have a place of their own here.
  const isStarted = found === undefined || stepsOf(found, false).every(({ isDone }) => isDone);
  return (
    <Page title="Settings">
      <ul className={styles['settings']}>
        {mayConfigureDevices && (
          <li>
            <Link to="/notifications">Notifications</Link>
            <p>Messages on your phone, in Home Assistant, or to a program.</p>
          </li>
        )}
        <li>
          <Link to="/materials">Materials</Link>
          <p>PLA, PETG and others, with their densities.</p>
        </li>
        {!isStarted && (
          <li>
            <Link to="/start">First steps</Link>
            <p>Set up your farm step by step.</p>
          </li>
        )}
        <li>
          <a href={gatewayUrl('graphql')}>GraphQL playground</a>
          <p>For developers: try queries, with examples.</p>
        </li>
        <li>
          <a href={gatewayUrl('openapi')}>REST API reference</a>
          <p>For developers: every REST path, with a form to try it.</p>
        </li>
      </ul>
    </Page>
  );
}
