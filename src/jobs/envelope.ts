import type { ShelvedFile } from '../contract/upload-shelf.ts'
import type { JsonObject } from '../kit/json.ts'
import type { SecretBox } from '../kit/secret-box.ts'

/** The stored request of a job and its files. It may hold secrets: the flow with its keys, overrides, names of files. */
export type JobContent = {
  request: JsonObject
  files?: readonly ShelvedFile[] | undefined
  /** Of the request: the job belongs to its trace, also on another member and after a restart. */
  traceparent?: string | undefined
}

/** Encrypts and decrypts the stored request of a job. */
export const jobEnvelope = (box: SecretBox) => ({
  seal: (content: JobContent): string => box.seal(JSON.stringify(content)),
  /** @throws SluiceError `secret_unreadable` */
  open: (sealed: string): JobContent => JSON.parse(box.open(sealed)) as JobContent,
  /**
   * The same without the passwords of files, which end with the run: a retry brings them again. Undefined where it has none.
   *
   * @throws SluiceError `secret_unreadable`
   */
  withoutPasswords(sealed: string): string | undefined {
    const content = JSON.parse(box.open(sealed)) as JobContent
    const { passwords, ...request } = content.request
    return passwords === undefined ? undefined : box.seal(JSON.stringify({ ...content, request }))
  },
})

export type JobEnvelope = ReturnType<typeof jobEnvelope>
