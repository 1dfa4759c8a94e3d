// Creates the templates of both kinds of database for folders whose tests run on both, whichever kind the run has chosen.
import { provideTemplates } from './global-setup';

export default () => provideTemplates(['embedded', 'server']);
