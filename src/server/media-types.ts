import type { FileType } from '../contract/file-parser.ts'

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN = 'application/vnd.oasis.opendocument'

/** The media types in answers with a file. JSON is text: clients of this server parse answers of the JSON type. */
export const MEDIA_TYPES: Readonly<Record<FileType, string>> = {
  csv: 'text/csv',
  doc: 'application/msword',
  docx: `${OFFICE}.wordprocessingml.document`,
  eml: 'message/rfc822',
  epub: 'application/epub+zip',
  html: 'text/html',
  ics: 'text/calendar',
  ipynb: 'text/plain',
  json: 'text/plain',
  jsonl: 'text/plain',
  mbox: 'text/plain',
  msg: 'application/vnd.ms-outlook',
  odp: `${OPEN}.presentation`,
  ods: `${OPEN}.spreadsheet`,
  odt: `${OPEN}.text`,
  pdf: 'application/pdf',
  pptx: `${OFFICE}.presentationml.presentation`,
  rtf: 'application/rtf',
  subtitles: 'text/plain',
  text: 'text/plain',
  xls: 'application/vnd.ms-excel',
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
}
