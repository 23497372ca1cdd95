import { choice, text, texts } from '../../contract/field.ts'
import { databaseItem } from '../../sources/database.ts'
import { failingItem } from '../../sources/failing-item.ts'
import { openPathAllowlist } from '../../sources/path-allowlist.ts'
import { loaderCard } from './declare.ts'

export const sqlDatabase = loaderCard({
  name: 'sqlDatabase',
  label: 'SQL Database',
  version: 1,
  description:
    'The rows of a query, a document each, from a SQLite file below the directories of FOLDER_ALLOW',
  fields: {
    databaseType: choice('Database Type', ['sqlite'], 'sqlite'),
    url: text('Database', '', { description: 'Path of the database file', guard: 'path' }),
    query: text('Query', '', { description: 'One SELECT', guard: 'table' }),
    contentColumns: texts('Content Columns', { description: 'Comma list; all unless given', guard: 'table' }),
    metadataColumns: texts('Metadata Columns', { description: 'Comma list', guard: 'table' }),
  },
  bring: ({ databaseType: _, url, ...asked }, { nodeId, folders, parser }) => ({
    async *items() {
      try {
        const allowlist = await openPathAllowlist(folders)
        yield databaseItem({ ...asked, file: await allowlist.resolve(url, nodeId) }, parser)
      } catch (error) {
        yield failingItem({ name: nodeId, error: error as Error })
      }
    },
  }),
})
