// Splits an export file of Spoolman into parts that fit into requests. Each part is a file of its own.

/** A file that cannot be split stays whole, and the gateway says what is wrong with it. */
export function splitSpoolmanFile(text: string, characters: number): string[] {
  if (text.length <= characters) return [text];
  return /^\ufeff?\s*\[/.test(text) ? splitJson(text, characters) : splitCsv(text, characters);
}

function splitJson(text: string, characters: number): string[] {
  let objects: unknown;
  try {
    objects = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return [text];
  }
  if (!Array.isArray(objects)) return [text];
  return gather(
    objects.map((object) => JSON.stringify(object)),
    characters,
  ).map((part) => `[${part.join(',')}]`);
}

function splitCsv(text: string, characters: number): string[] {
  // A line end inside of quotation marks belongs to a cell.
  const lines = text.match(/(?:"[^"]*"|[^"\r\n])+(?:\r\n|\r|\n|$)/g) ?? [text];
  const [head = '', ...rows] = lines;
  return gather(rows, characters).map((part) => head + part.join(''));
}

function gather(texts: readonly string[], characters: number): string[][] {
  const parts: string[][] = [[]];
  let length = 0;
  for (const text of texts) {
    if (length > 0 && length + text.length > characters) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(text);
    length += text.length;
  }
  return parts;
}
