import { randomToken } from '../kit/hash.ts'
import type { Body } from './http.ts'
import type { UploadFile } from './upload-file.ts'

/**
 * A `multipart/form-data` body (RFC 7578). The fields come first, so that the server has the options before the files. Each
 * file is opened when it is sent. The length is undefined where the size of a file is not known.
 */
export function multipart(fields: [name: string, value: string][], files: UploadFile[]): Body {
  const boundary = `sluice-${randomToken(18)}`
  const end = Buffer.from(`--${boundary}--\r\n`)
  const fieldParts = fields.map(([name, value]) =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`,
    ),
  )
  const fileHead = ({ name }: UploadFile) =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${escaped(name)}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    )
  const lineEnd = Buffer.from('\r\n')

  let length: number | undefined = end.length
  for (const part of fieldParts) length += part.length
  for (const file of files)
    length =
      length === undefined || file.size === undefined
        ? undefined
        : length + fileHead(file).length + file.size + lineEnd.length

  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length,
    async *chunks() {
      yield* fieldParts
      for (const file of files) {
        yield fileHead(file)
        yield* file.open()
        yield lineEnd
      }
      yield end
    },
  }
}

/** Escapes the characters that end a quoted name, as browsers do (WHATWG HTML, "multipart/form-data encoding"). */
const escaped = (name: string): string =>
  name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
