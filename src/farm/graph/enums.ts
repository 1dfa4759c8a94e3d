// Defines GraphQL enums whose values are the same texts as their names.
import { registerEnumType } from 'type-graphql';

/** @param descriptions the description of each value, by its name */
export function defineEnum<Name extends string>(name: string, description: string, descriptions: Record<Name, string>) {
  const names = Object.keys(descriptions) as Name[];
  const values = Object.fromEntries(names.map((value) => [value, value])) as { [One in Name]: One };
  const valuesConfig = Object.fromEntries(names.map((one) => [one, { description: descriptions[one] }]));
  registerEnumType<Record<string, string>>(values, { name, description, valuesConfig });
  return values;
}
