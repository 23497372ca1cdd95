import { defineNode } from '../../cards/define-node.ts'
import { flagField, numberField, textField } from '../../cards/field.ts'
import { recordManagerFields, recordManagerOf } from './record-manager-fields.ts'

const description =
  'Records what is in the store: unchanged documents are skipped, missing ones are removed. The records are in the database of this server, so nothing connects to the host and no credential is read'

const unused = { additional: true, guard: 'url', description: 'Has no effect' } as const
const port = numberField('Port', undefined, { whole: true, min: 1, max: 65_535 }, unused)
const place = {
  host: textField('Host', undefined, unused),
  database: textField('Database', undefined, unused),
  port,
}

export const postgresRecordManager = defineNode({
  kind: 'recordManager',
  name: 'postgresRecordManager',
  label: 'Postgres Record Manager',
  version: 1,
  category: 'Record Manager',
  type: 'Postgres RecordManager',
  baseClasses: ['Postgres RecordManager', 'RecordManager'],
  description,
  fields: {
    ...place,
    ssl: flagField('SSL', false, unused),
    ...recordManagerFields,
  },
  anchors: {},
  build: ({ values }) => recordManagerOf(values),
})

export const mySqlRecordManager = defineNode({
  kind: 'recordManager',
  name: 'MySQLRecordManager',
  label: 'MySQL Record Manager',
  version: 1,
  category: 'Record Manager',
  type: 'MySQL RecordManager',
  baseClasses: ['MySQL RecordManager', 'RecordManager'],
  description,
  fields: {
    ...place,
    ...recordManagerFields,
  },
  anchors: {},
  build: ({ values }) => recordManagerOf(values),
})
