// The configuration of Prisma's command line: schema, migrations and database.
export default {
  schema: 'schema.prisma',
  migrations: { path: 'migrations', seed: 'node dist/prisma/seed.js' },
  ...(process.env.DATABASE_URL && { datasource: { url: process.env.DATABASE_URL } }),
};
