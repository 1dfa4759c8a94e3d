// Runs the curl commands of the documentation.

/** Sends a curl command with the few options that the documentation uses as a request, because not every test machine has curl. */
export function curl(command: string): { url: string; init: RequestInit } {
  const words = [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? (plain as string),
  );
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  let url = '';
  let body: string | undefined;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === '-s') continue;
    if (word === '-d') body = words[++at];
    else if (word === '-H') {
      const [name = '', value = ''] = (words[++at] as string).split(': ');
      headers[name] = value;
    } else if (word.startsWith('-')) throw new Error(`${word} is not an option that this test knows: ${command}`);
    else url = word;
  }
  return { url, init: body === undefined ? { headers: {} } : { method: 'POST', headers, body } };
}
