// Lists all routes of the API.
import { FIELD_ROUTES } from './field-routes';
import { OBJECT_ROUTES } from './object-routes';
import { RouteTable } from './route';
import { SCAN_ROUTES } from './scan-routes';
import { SETTING_ROUTES } from './setting-routes';
import { TAG_ROUTES } from './tag-routes';
import { USAGE_ROUTES } from './usage-routes';

export const SPOOLMAN_ROUTES = new RouteTable([
  ...SETTING_ROUTES,
  ...OBJECT_ROUTES,
  ...FIELD_ROUTES,
  ...TAG_ROUTES,
  ...SCAN_ROUTES,
  ...USAGE_ROUTES,
]);
