import { EXAMPLE_ID, EXAMPLE_MOMENT, type FieldDocs } from './field-doc.ts'

/** Jobs, and the events of their progress. */
export const jobFields: FieldDocs = {
  jobId: ['The id of the job that did the work', EXAMPLE_ID],
  'data.flowId': ['The id of the flow of the job', EXAMPLE_ID],
  'answer.flowId': ['The id of the flow of the job', EXAMPLE_ID],
  state: ['The state of the job or run', 'done'],
  'query.state': ['Only rows in this state', 'running'],
  stage: ['The current stage of the job: parse, embed or publish', 'embed'],
  'error.stage': ['The stage that failed', 'parse'],
  'files.total': ['The number of files of the job; it grows while files are still being found', 12],
  done: ['Files that are finished, including the failed ones', 12],
  failed: ['Files that could not be loaded', 0],
  seen: ['Chunks that the documents were split into', 12],
  embedded: ['Chunks that have a vector', 12],
  written: ['Chunks that are stored', 12],
  rate: ['The speed of the job in chunks per second; null unless it is running', 850],
  etaSeconds: [
    'The estimated remaining time in seconds; null where it is unknown or the job is not running',
    4,
  ],
  result: ['The result; of a job, null until it is done', { numAdded: 12 }],
  createdAt: ['When the job was requested, ISO 8601 in UTC', EXAMPLE_MOMENT],
  startedAt: ['When the job started, ISO 8601 in UTC', EXAMPLE_MOMENT],
  finishedAt: ['When the job ended, ISO 8601 in UTC', EXAMPLE_MOMENT],
  'Last-Event-ID': ['The id of the last event that the client received; the stream resumes after it', '3.7'],
}
