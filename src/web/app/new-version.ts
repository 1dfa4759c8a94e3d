// Reloads a page that was open while the gateway was upgraded, because its files no longer exist. It reloads once for each version.
import { ROOT } from '../parts/gateway-url';
import { hasUnsavedEdits } from '../parts/unsaved';

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
  const served = await findServedScript();
  if (served === undefined || served === findEntryScript(document)) return;
  if (isFirstReloadFor(served)) location.reload();
}

/** Loads a new version only if that disturbs nobody, such as on a wall display. */
export function loadNewVersionUnlessInUse(): void {
  const isInUse =
    hasUnsavedEdits() ||
    document.querySelector('[role=dialog], [role=alertdialog], input:focus, textarea:focus') !== null;
  if (!isInUse) void loadNewVersion();
}

/**
 * Reloads the page if the gateway can serve it. Otherwise the browser would show its own error page, or the page of a proxy, and
 * nothing would leave that page again.
 */
export async function reloadIfServed(): Promise<void> {
  if ((await findServedScript()) !== undefined) location.reload();
}

/** @returns the name of the entry script that the gateway serves now; undefined if the page or the script cannot be loaded */
async function findServedScript(): Promise<string | undefined> {
  try {
    const answer = await fetch(ROOT);
    if (!answer.ok) return undefined;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const address = page.querySelector('script[type=module]')?.getAttribute('src');
    if (address == null || !(await fetch(new URL(address, ROOT))).ok) return undefined;
    return findEntryScript(page);
  } catch {
    return undefined;
  }
}
