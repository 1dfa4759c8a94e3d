// Reloads a page that was open while the gateway was upgraded, because its files no longer exist. It reloads once for each version.
import { ROOT } from '../parts/gateway-url';

const STORAGE_KEY = 'print-farm-loaded-anew';

/** The name of the first script of a page, which changes with its content and so identifies the version. */
const findEntryScript = (page: Document) =>
  page.querySelector('script[type=module]')?.getAttribute('src')?.split('/').at(-1);

/**
 * During an upgrade one replica may have the new version and another the old one. The page must not reload back and forth between
 * them.
 */
function isFirstReloadFor(version: string): boolean {
  try {
    if (sessionStorage.getItem(STORAGE_KEY) === version) return false;
    sessionStorage.setItem(STORAGE_KEY, version);
    return true;
  } catch {
    // Without storage the page cannot know whether it was reloaded before.
    return false;
  }
}

/** Reloads the page if the gateway has another version. */
export async function loadNewVersion(): Promise<void> {
  const answer = await fetch(ROOT).catch(() => undefined);
  if (!answer?.ok) return;
  const version = findEntryScript(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  if (version !== undefined && version !== findEntryScript(document) && isFirstReloadFor(version)) location.reload();
}
