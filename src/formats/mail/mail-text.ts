import type { Metadata } from '../../contract/document.ts'

/** What the headers of a mail say, decoded; what is missing is undefined or empty. `date` is ISO 8601 in UTC. */
export type MailHead = {
  subject?: string | undefined
  from?: string | undefined
  to?: string | undefined
  cc?: string | undefined
  date?: string | undefined
  messageId?: string | undefined
}

/** Characters of a list of addresses in the metadata of each chunk, and in the text. */
const MOST = { metadata: 4000, text: 300 }
/** How many attachments the text names. */
const NAMED = 20

/** The metadata of the documents of a mail. */
export function mailMetadata(head: MailHead): Metadata {
  const metadata: Metadata = {}
  for (const name of ['subject', 'from', 'to', 'cc', 'date', 'messageId'] as const) {
    const value = head[name]
    if (value) metadata[name] = shortened(value, MOST.metadata)
  }
  return metadata
}

/** The document of a mail: its subject as a heading, who wrote it to whom and when, its text. */
export function mailText(head: MailHead, body: string, attachments: readonly string[]): string {
  const named = attachments.slice(0, NAMED).join(', ')
  const others = attachments.length - NAMED
  const lines = [
    line('From', head.from),
    line('To', head.to),
    line('Cc', head.cc),
    line('Date', head.date),
    line('Attachments', others > 0 ? `${named} and ${others} more` : named),
  ]
  const subject = head.subject ? `# ${head.subject}` : ''
  return [subject, lines.filter((found) => found !== '').join('\n'), body]
    .filter((block) => block !== '')
    .join('\n\n')
}

const line = (name: string, value: string | undefined): string =>
  value ? `${name}: ${shortened(value, MOST.text)}` : ''

/** A list of addresses with as many of the first ones as fit. */
function shortened(list: string, most: number): string {
  if (list.length <= most) return list
  const end = list.lastIndexOf(',', most)
  const cut = end > 0 ? end : most
  return `${list.slice(0, cut)} …`
}

/** A date of a header as ISO 8601 in UTC; undefined where it is none. */
export function mailDate(value: string | number): string | undefined {
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\.\d+Z$/, 'Z')
}
