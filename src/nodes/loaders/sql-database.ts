import { choiceField, textField, textListField } from '../../contract/field.ts'
import { databaseItem } from '../../sources/database.ts'
import { failingItem } from '../../sources/failing-item.ts'
import { openPathAllowlist } from '../../sources/path-allowlist.ts'
import { loaderCard } from './loader-card.ts'

export const sqlDatabase = loaderCard({
  name: 'sqlDatabase',
  label: 'SQL Database',
  version: 1,
  description:
    'The rows of a query, a document each, from a SQLite file below the directories of FOLDER_ALLOW',
  fields: {
    databaseType: choiceField('Database Type', ['sqlite'], 'sqlite'),
    url: textField('Database', '', { description: 'Path of the database file', guard: 'path' }),
    query: textField('Query', '', { description: 'One SELECT', guard: 'table' }),
    contentColumns: textListField('Content Columns', {
      description: 'Comma list; all unless given',
      guard: 'table',
    }),
    metadataColumns: textListField('Metadata Columns', { description: 'Comma list', guard: 'table' }),
  },
  sources: ({ databaseType: _, url, ...asked }, { nodeId, folders, parser }) => ({
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
