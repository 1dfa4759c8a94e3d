// The settings page: links to notifications, materials, the first steps, and the tools for developers.
import { useQuery } from '@apollo/client/react';
import { Link } from 'react-router';
import { StartDocument } from '../../generated/web-operations';
import { gatewayUrl } from '../parts/gateway-url';
import { Page } from '../parts/page';
import { useMayConfigureDevices } from '../parts/use-viewer';
import styles from './start.module.css';
import { createSteps } from './steps';

export function SettingsPage() {
  const mayConfigureDevices = useMayConfigureDevices();
  const start = useQuery(StartDocument).data;
  // The link to the first steps disappears when all steps are done. Notifications do not count, because they have their own link here.
  const isStarted = start === undefined || createSteps(start, false).every(({ isDone }) => isDone);
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
