// Holds how many printers need a person, for the title of the browser's tab on every page.
import { makeVar } from '@apollo/client';

export const needsYouCount = makeVar(0);
