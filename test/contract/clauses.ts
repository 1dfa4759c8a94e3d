// Splits the two service documents into clauses: every sentence and table row, with the prefix with which the title of its test starts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Clause {
  /** `§4 POST /cameras rule 3`: the section, its subheading without the words in brackets, the number of the rule. */
  prefix: string;
  text: string;
}

export type DocumentName = 'camera-status-service' | 'print-job-service';

export function readDocument(file: string): string {
  return readFileSync(join(__dirname, 'documents', file), 'utf8');
}

export function readClauses(document: DocumentName): Clause[] {
  const clauses: Clause[] = [];
  const lines = readDocument(`${document}.txt`).split('\n');
  let section = 'Opening';
  let heading = '';
  for (const [index, line] of lines.entries()) {
    const headed = /^(#+) (?:(\d+)\. )?(.*?)(?: \(.*\))?$/.exec(line);
    if (headed !== null) {
      if (headed[1] === '##') section = `§${headed[2]}`;
      heading = headed[1] === '###' ? ` ${headed[3]}` : '';
    } else if (line.startsWith('|')) {
      const namesColumns = lines[index + 1]?.startsWith('|--') ?? false;
      if (!namesColumns && !line.startsWith('|--')) {
        clauses.push({ prefix: section + heading, text: line.replace(/^\| | \|$/g, '') });
      }
    } else if (line.trim() !== '') {
      const [, rule, text = ''] = /^\s*(?:- |(\d+)\. )?(.*)$/.exec(line) ?? [];
      const prefix = section + heading + (rule === undefined ? '' : ` rule ${rule}`);
      for (const sentence of text.split(/(?<=\.) (?=[A-Z])/)) clauses.push({ prefix, text: sentence });
    }
  }
  return clauses;
}

/** The title of a test quotes a clause: it starts with the clause's prefix and has its words between quotes. */
export function quotes(name: string, clause: Clause): boolean {
  return name.startsWith(`${clause.prefix}: `) && name.includes(`"${clause.text}"`);
}
