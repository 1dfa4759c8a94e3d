// The page of settings: notification targets, the first steps, and the addresses that programs use.
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
            <p>Where notifications go: by ntfy, a webhook, or MQTT for Home Assistant.</p>
          </li>
        )}
        <li>
          <Link to="/materials">Materials</Link>
          <p>The plastics of the spools, with their densities.</p>
        </li>
        {!isStarted && (
          <li>
            <Link to="/start">First steps</Link>
            <p>What a new farm needs, with a mark at what it has. Also as commands for programs.</p>
          </li>
        )}
        <li>
          <a href={gatewayUrl('graphql')}>Playground</a>
          <p>For programs: GraphQL, with examples to run.</p>
        </li>
        <li>
          <a href={gatewayUrl('openapi')}>REST description</a>
          <p>For programs: each REST path, to be tried.</p>
        </li>
      </ul>
    </Page>
  );
}
