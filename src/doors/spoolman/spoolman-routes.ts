// Lists all routes of the API.
import { FIELD_ROUTES } from './field-routes';
import { OBJECT_ROUTES } from './object-routes';
import { RouteTable } from './route';
import { SETTING_ROUTES } from './setting-routes';
import { TAG_ROUTES } from './tag-routes';

export const SPOOLMAN_ROUTES = new RouteTable([...SETTING_ROUTES, ...OBJECT_ROUTES, ...FIELD_ROUTES, ...TAG_ROUTES]);
