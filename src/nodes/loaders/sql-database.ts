import { choiceField, textField, textListField } from '../../cards/field.ts'
import { databaseItem } from '../../sources/database.ts'
import { failingItem } from '../../sources/failing-item.ts'
import { openPathAllowlist } from '../../sources/path-allowlist.ts'
import { loaderCard } from './loader-card.ts'

export const sqlDatabase = loaderCard({
  name: 'sqlDatabase',
  label: 'SQL Database',
  version: 1,
  description:
    'One document for each row of a query to a SQLite file. FOLDER_ALLOW lists the directories that may be read',
  fields: {
    databaseType: choiceField('Database Type', ['sqlite'], 'sqlite'),
    url: textField('Database', '', {
      main: true,
      description: 'The path of the database file',
      guard: 'path',
    }),
    query: textField('Query', '', {
      main: true,
      description: 'One SELECT statement',
      guard: 'table',
      multiline: true,
    }),
    contentColumns: textListField('Content Columns', {
      description: 'Separated by commas. Default: all',
      guard: 'table',
    }),
    metadataColumns: textListField('Metadata Columns', {
      description: 'Separated by commas',
      guard: 'table',
    }),
  },
  sources: ({ databaseType: _, url, ...options }, { nodeId, folders, parser }) => ({
    async *items() {
      try {
        const allowlist = await openPathAllowlist(folders)
        yield databaseItem({ ...options, file: await allowlist.resolve(url, nodeId) }, parser)
      } catch (error) {
        yield failingItem({ name: nodeId, error: error as Error })
      }
    },
  }),
})
