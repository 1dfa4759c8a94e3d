// Reads schema.prisma as the tables that Prisma would create, in the terms of PostgreSQL's catalogue.

export interface Table {
  /** By column: type, null or not null, default. */
  columns: Record<string, string>;
  /** By index: its kind and columns. */
  indexes: Record<string, string>;
  /** By foreign key: its definition. */
  references: Record<string, string>;
}
export type Tables = Record<string, Table>;

interface Field {
  name: string;
  type: string;
  optional: boolean;
  list: boolean;
  attributes: string;
  column: string;
}

const TYPES: Record<string, string> = {
  String: 'text',
  Boolean: 'boolean',
  Bytes: 'bytea',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  'String @db.Uuid': 'uuid',
  Json: 'jsonb',
  'Json @db.Json': 'json',
  'Decimal @db.Decimal': 'numeric',
  'DateTime @db.Timestamptz(3)': 'timestamp(3) with time zone',
};

export function readPrismaSchema(text: string): Tables {
  const models = [...text.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name, body]) => readModel(name!, body!));
  return Object.fromEntries(models.map((model) => [model.table, describeTable(model, models)]));
}

type Model = ReturnType<typeof readModel>;

function readModel(name: string, body: string) {
  const lines = body.split('\n').filter((line) => /^\s+\S/.test(line) && !/^\s+\/\//.test(line));
  const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name;
  const fields = lines.filter((line) => !/^\s+@@/.test(line)).map(readField);
  return { name, table, fields, blocks: lines.filter((line) => /^\s+@@/.test(line) && !line.includes('@@map')) };
}

function readField(line: string): Field {
  const [, name, type, mark, attributes] = /^\s+(\w+)\s+(\w+)(\?|\[\])?\s*(.*)$/.exec(line) ?? [];
  if (!name || !type) throw new Error(`Not understood in schema.prisma: ${line}`);
  const column = /@map\("(\w+)"\)/.exec(attributes!)?.[1] ?? name;
  return { name, type, optional: mark === '?', list: mark === '[]', attributes: attributes!, column };
}

function describeTable(model: Model, models: Model[]): Table {
  const { table, fields } = model;
  const result: Table = { columns: {}, indexes: {}, references: {} };
  const readColumn = (model: Model, name: string) => {
    const field = model.fields.find((one) => one.name === name.trim());
    if (!field) throw new Error(`${model.name} has no field ${name}.`);
    return field.column;
  };

  for (const field of fields) {
    const target = models.find((other) => other.name === field.type);
    if ((target && field.list) || (target && !field.attributes.includes('fields:'))) continue;
    if (target) {
      const [own, theirs] = ['fields', 'references'].map((key) => list(field.attributes, key));
      const columns = own!.map((name) => readColumn(model, name));
      const referenced = theirs!.map((name) => readColumn(target, name));
      const onDelete = /onDelete: (\w+)/.exec(field.attributes)?.[1] ?? (field.optional ? 'SetNull' : 'Restrict');
      const onUpdate = /onUpdate: (\w+)/.exec(field.attributes)?.[1] ?? 'Cascade';
      result.references[`${table}_${columns.join('_')}_fkey`] =
        `FOREIGN KEY (${columns.join(', ')}) REFERENCES ${target.table}(${referenced.join(', ')}) ` +
        `ON UPDATE ${onUpdate.toUpperCase()} ON DELETE ${onDelete.replace(/\B[A-Z]/g, ' $&').toUpperCase()}`;
      continue;
    }
    const native = /@db\.\w+(\(\d+\))?/.exec(field.attributes)?.[0];
    const type = TYPES[native ? `${field.type} ${native}` : field.type];
    if (!type) throw new Error(`Not understood in schema.prisma: ${field.type} ${native}`);
    const [, generated, value] =
      /@default\((?:dbgenerated\("([^"]*)"\)|((?:[^()]|\(\))*))\)/.exec(field.attributes) ?? [];
    const textType = `${type === 'jsonb' ? type : 'text'}${field.list ? '[]' : ''}`;
    const byDefault = generated ?? value?.replace(/^"(.*)"$|^\[\]$/, (_, text = '{}') => `'${text}'::${textType}`);
    result.columns[field.column] =
      `${type}${field.list ? '[]' : ''} ${field.optional ? 'null' : 'not null'}${byDefault ? ` default ${byDefault}` : ''}`;
    if (/@id\b/.test(field.attributes)) result.indexes[`${table}_pkey`] = `primary key (${field.column})`;
    const unique = /@unique(?:\(map: "(\w+)"\))?/.exec(field.attributes);
    if (unique) result.indexes[unique[1] ?? `${table}_${field.column}_key`] = `unique (${field.column})`;
  }

  for (const block of model.blocks) {
    const key = /@@id\(\[(.*)\]\)/.exec(block)?.[1];
    if (key) {
      const columns = key.split(', ').map((name) => readColumn(model, name));
      result.indexes[`${table}_pkey`] = `primary key (${columns.join(', ')})`;
      continue;
    }
    const [, kind, members, rows, name] =
      /@@(index|unique)\(\[(.*)\](?:, where: raw\("(.*)"\))?, map: "(\w+)"\)/.exec(block) ?? [];
    if (!kind) throw new Error(`Not understood in schema.prisma: ${block}`);
    const columns = members!.split(/,\s*(?![^(]*\))/).map((member) => {
      const [, field, descending] = /^(\w+)(\(sort: Desc\))?$/.exec(member) ?? [];
      return `${readColumn(model, field ?? member)}${descending ? ' desc' : ''}`;
    });
    result.indexes[name!] = `${kind} (${columns.join(', ')})${rows ? ` where ${rows.replaceAll('\\"', '"')}` : ''}`;
  }
  return result;
}

const list = (attributes: string, key: string) =>
  (new RegExp(`${key}: \\[([^\\]]*)\\]`).exec(attributes)?.[1] ?? '').split(',');
