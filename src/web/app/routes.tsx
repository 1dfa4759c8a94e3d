// Which page is at which address. A page arrives with its first visit; the farm, where most visits begin, with the frame.
import { type ComponentType, lazy } from 'react';
import { Route, Routes } from 'react-router';
import { FarmPage } from '../farm/farm-page';
import { NoPage } from './no-page';

/** A page in a file of its own, which the browser loads when it is first opened. */
const later = <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  lazy(async () => ({ default: (await load())[name] }));

const CameraPage = later('CameraPage', () => import('../camera/camera-page'));
const StartPage = later('StartPage', () => import('../start/start-page'));

export function Pages() {
  return (
    <Routes>
      <Route path="/" element={<FarmPage />} />
      <Route path="/camera/:id" element={<CameraPage />} />
      <Route path="/start" element={<StartPage />} />
      <Route path="*" element={<NoPage />} />
    </Routes>
  );
}
