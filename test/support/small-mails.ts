/** A mail from its headers and its body; lines end in CR LF. */
export const mail = (headers: Record<string, string>, body: string): string =>
  `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body.replace(/\r?\n/g, '\r\n')}`

/** The headers that most mails have. */
export const HEADERS = {
  From: 'Ann Otter <ann@example.org>',
  To: 'bob@example.org',
  Date: 'Tue, 03 Nov 2026 08:15:00 +0100',
  Subject: 'The otters',
}

type Part = { type: string; body: string; headers?: Record<string, string> }

/** The header and the body of a mail of several parts. */
export function multipart(kind: string, parts: readonly Part[], boundary = 'b1') {
  const written = parts.map(({ type, body, headers = {} }) =>
    mail({ 'Content-Type': type, ...headers }, body),
  )
  const body = `${written.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
  return { type: `multipart/${kind}; boundary="${boundary}"`, body }
}

/** A mail of several parts. */
export function mailOfParts(
  kind: string,
  parts: readonly Part[],
  { headers = HEADERS, boundary = 'b1' }: { headers?: Record<string, string>; boundary?: string } = {},
): string {
  const { type, body } = multipart(kind, parts, boundary)
  return mail({ ...headers, 'MIME-Version': '1.0', 'Content-Type': type }, body)
}

/** A file as a part of a mail, in base64. */
export const attached = (name: string, type: string, bytes: string | Uint8Array): Part => ({
  type,
  headers: {
    'Content-Disposition': `attachment; filename="${name}"`,
    'Content-Transfer-Encoding': 'base64',
  },
  body: Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n'),
})

/** A mailbox of mails, as a mail program writes it. */
export const mailbox = (mails: readonly string[]): string =>
  mails
    .map((one) => `From ann@example.org Tue Nov  3 08:15:00 2026\n${one.replace(/^(>*From )/gm, '>$1')}\n`)
    .join('\n')

/** A notebook of Jupyter, nbformat 4. */
export const notebook = (cells: readonly object[]): string =>
  JSON.stringify({
    cells,
    metadata: {
      kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
      language_info: { name: 'python' },
    },
    nbformat: 4,
    nbformat_minor: 5,
  })

/** A code cell with its outputs. */
export const codeCell = (source: string, ...outputs: object[]) => ({
  cell_type: 'code',
  execution_count: 1,
  metadata: {},
  source,
  outputs,
})
