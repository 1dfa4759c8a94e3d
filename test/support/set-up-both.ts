// Before the tests of folders that are made on both kinds of database, whatever is chosen.
import { provideTemplates } from './global-setup';

export default () => provideTemplates(['embedded', 'server']);
