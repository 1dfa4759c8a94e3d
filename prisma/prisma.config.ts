// Where Prisma's own command line finds the schema, the migrations and the database.
import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  ...(process.env.DATABASE_URL && { datasource: { url: process.env.DATABASE_URL } }),
});
