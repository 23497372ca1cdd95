import { anchor, anchors } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { choiceField, credentialField, numberField, textField, textListField } from '../../cards/field.ts'
import { databaseTool } from '../../tools/database-tool.ts'
import { requireToolCalls } from '../calls-tools.ts'
import { askedDatabase, DATABASE_LABELS, DATABASES } from './asked-database.ts'

const additional = { additional: true } as const

const INSTRUCTIONS = `Answer the question from a {dialect} database. Write SELECT statements for its tables and look at their rows.
Ask for the columns that the question needs, and for no more than {top_k} rows. Say it if the database does not have the answer.
Answer in the language of the question.`

export const sqlDatabaseChain = defineNode({
  kind: 'answerer',
  name: 'sqlDatabaseChain',
  label: 'Sql Database Chain',
  version: 5,
  category: 'Chains',
  type: 'SqlDatabaseChain',
  baseClasses: ['SqlDatabaseChain', 'BaseChain', 'Runnable'],
  description:
    'Lets a chat model ask a PostgreSQL, MySQL, MariaDB or SQLite database with statements that only read, until it can answer',
  fillsTexts: true,
  fields: {
    credential: credentialField('Connect Credential', ['PostgresApi', 'MySQLApi']),
    database: choiceField('Database', DATABASES, 'sqlite', {
      main: true,
      optionLabels: Object.fromEntries(DATABASES.map((name, at) => [name, DATABASE_LABELS[at]!])),
    }),
    url: textField('Connection string or file path', '', {
      guard: 'url',
      description:
        'postgresql://HOST:PORT/DATABASE, mysql://HOST:PORT/DATABASE, or the path of a SQLite file in a directory of FOLDER_ALLOW. Name and password belong into the credential',
    }),
    includesTables: textListField('Include Tables', {
      ...additional,
      description: 'The only tables that the model is told of. Default: all',
    }),
    ignoreTables: textListField('Ignore Tables', {
      ...additional,
      description:
        'Tables that the model is not told of. What it may not read, the user of the database must not',
    }),
    sampleRowsInTableInfo: numberField(
      "Sample table's rows info",
      0,
      { whole: true, min: 0, max: 20 },
      { ...additional, unit: 'rows', description: 'How many rows of each table the model sees beforehand' },
    ),
    topK: numberField(
      'Top Keys',
      10,
      { whole: true, min: 1, max: 1000 },
      { ...additional, unit: 'rows', description: 'The most rows of an answer of the database' },
    ),
    customPrompt: textField('Custom Prompt', INSTRUCTIONS, {
      ...additional,
      multiline: true,
      description: 'May contain {dialect} and {top_k}. The tables stand in the description of the tool',
    }),
  },
  anchors: {
    model: anchor('chatModel', 'Tool Calling Chat Model', 'BaseChatModel'),
    inputModeration: anchors('moderation', 'Input Moderation', 'Moderation'),
  },
  build({ values, parts: { model, inputModeration } }, context) {
    requireToolCalls(model)
    const { includesTables, ignoreTables, sampleRowsInTableInfo, topK, customPrompt } = values
    const database = askedDatabase(values, context)
    const options = {
      includes: includesTables ?? [],
      ignores: ignoreTables ?? [],
      samples: sampleRowsInTableInfo,
      mostRows: topK,
    }
    return {
      type: 'toolAgent',
      model: model!,
      moderations: inputModeration,
      tools: [{ tools: async (signal) => [await databaseTool(database, options, signal)] }],
      systemMessage: filled(customPrompt, { dialect: database.dialect, top_k: String(topK) }),
      maxIterations: 15,
      asksBeforeChanges: false,
    }
  },
})

/** A prompt of Flowise may also have the tables and the question, which the model gets in another place. */
const filled = (prompt: string, known: Readonly<Record<string, string>>): string =>
  prompt.replace(/\{(dialect|top_k|table_info|input)\}/g, (_, name: string) =>
    name === 'table_info'
      ? '(the tables in the description of the tool query_database)'
      : name === 'input'
        ? '(the question of the user)'
        : known[name]!,
  )
