import { EXAMPLE_ID, EXAMPLE_MOMENT, type FieldDocs } from './field-doc.ts'

/** Fields of several resources: ids, names, times, pages, failures. */
export const commonFields: FieldDocs = {
  id: ['The id, a UUID', EXAMPLE_ID],
  'path.id': ['The id, a UUID; for a flow also its slug', EXAMPLE_ID],
  'answer.id': ['The id', EXAMPLE_ID],
  ids: ['The ids of the rows', [EXAMPLE_ID]],
  name: ['The name', 'Handbook'],
  label: ['The name that an editor shows', 'Chunk Size'],
  title: ['The title', 'Handbook'],
  description: ['A short description', 'Stores chunks in the database of this server'],
  type: ['The type', 'CHATFLOW'],
  kind: ['The kind', 'upsert'],
  version: ['The version', '0.1.0'],
  text: [
    'The answer as text; of a document, a part of its extracted text, in which what no chunk has is blank',
    'Four weeks.',
  ],
  url: ['A web address or a data URL', 'data:image/png;base64,iVBORw0KGgo='],
  status: ['The status', 'ok'],
  dependencies: [
    'What the server needs, and whether it can be used',
    [
      { name: 'database', state: 'ok' },
      { name: 'disk', state: 'ok' },
    ],
  ],
  'dependencies.name': ['What it is: `database`, `disk`, `blob store`', 'database'],
  'dependencies.state': ['`ok`; `checking` while it is not known; `away` where it cannot be used', 'ok'],
  'dependencies.reason': [
    'Why it cannot be used',
    'The disk of the server is full: it answers queries and accepts no writes',
  ],
  degraded: [
    'Present while something is away without which the server answers queries: the names of these dependencies. Without the `blob store` it takes no files',
    ['blob store'],
  ],
  database: ['Present while the database is still being checked after a start', 'being checked'],
  createdDate: ['Time of creation, ISO 8601 in UTC', EXAMPLE_MOMENT],
  updatedDate: ['Time of the last change, ISO 8601 in UTC', EXAMPLE_MOMENT],
  date: ['Time of the upsert, ISO 8601 in UTC', EXAMPLE_MOMENT],

  // lists
  page: ['The page of a list, from 1', 1],
  limit: ['The number of rows of a page, 1 to 1,000', 50],
  data: ['The rows of the page', []],
  total: ['The number of rows on all pages; of a text, the number of its UTF-16 code units', 1],
  order: ['ASC: oldest first, or the smallest first; DESC: the reverse', 'DESC'],
  startDate: ['Only rows from this time on: ISO 8601, a date or a date and time', '2026-01-01'],
  endDate: ['Only rows up to this time: ISO 8601, a date or a date and time', '2026-12-31'],

  // changes and removals
  raw: ['Always empty; clients of Flowise expect it', []],
  affected: ['The number of rows that were changed or removed', 1],

  // parts of a request without effect
  warnings: [
    'Parts of the request that had no effect, each with the reason',
    [{ key: 'chunksize', reason: 'no node of this flow has such an input; did you mean chunkSize?' }],
  ],
  key: ['The name of the field, override or setting', 'chunksize'],
  reason: ['Why it had no effect', 'no node of this flow has such an input; did you mean chunkSize?'],

  // failures
  error: ['Why it failed; null or absent where it did not fail', null],
  code: ['The code of the error, see the table of errors', 'file_encrypted'],
  message: ['The text of the message', 'Hello'],
  'error.message': ['Why it failed, in one sentence', 'handbook.pdf is protected by a password'],
  file: ['The file that caused the failure', 'handbook.pdf'],
  'failure.message': ['Why the request failed, in one sentence', 'no flow has the id or slug handbook'],
  'failure.error': ['Present with status 401, for clients of Flowise', 'Unauthorized Access'],
  'failure.stage': ['The stage of the job that failed: parse, embed or publish', 'parse'],
  statusCode: ['The HTTP status', 404],
  success: ['Always false', false],
  stack: ['Always empty', {}],
  hint: ['What to do about it', 'Use a key that has the scope upsert'],
  param: ['The parameter that caused the failure', 'model'],
}
