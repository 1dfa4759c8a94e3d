// A page that was open while the gateway was upgraded: its files are gone, so it loads itself anew, once for each version.
import { ROOT } from '../parts/gateway-url';

const NAME = 'print-farm-loaded-anew';

/** The first script of a page, whose name changes with its content. */
const entryOf = (page: Document) => page.querySelector('script[type=module]')?.getAttribute('src')?.split('/').at(-1);

/** One replica may have the new version and another one the old: the page must not go to and fro between them. */
function isFirstTimeFor(version: string): boolean {
  try {
    if (sessionStorage.getItem(NAME) === version) return false;
    sessionStorage.setItem(NAME, version);
    return true;
  } catch {
    // A browser without storage.
    return false;
  }
}

/** Does nothing while the gateway has the version of this page. */
export async function loadNewVersion(): Promise<void> {
  const answer = await fetch(ROOT).catch(() => undefined);
  if (!answer?.ok) return;
  const version = entryOf(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  if (version !== undefined && version !== entryOf(document) && isFirstTimeFor(version)) location.reload();
}
