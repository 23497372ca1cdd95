import type { FileType } from '../contract/file-parser.ts'

const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** The media types in answers with a file. JSON is text: clients of this server parse answers of the JSON type. */
export const MEDIA_TYPES: Readonly<Record<FileType, string>> = {
  csv: 'text/csv',
  docx: `${OFFICE}.wordprocessingml.document`,
  eml: 'message/rfc822',
  html: 'text/html',
  ipynb: 'text/plain',
  json: 'text/plain',
  jsonl: 'text/plain',
  mbox: 'text/plain',
  msg: 'application/vnd.ms-outlook',
  pdf: 'application/pdf',
  pptx: `${OFFICE}.presentationml.presentation`,
  text: 'text/plain',
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
}
